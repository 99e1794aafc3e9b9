/** The product's displayed name. An operator who brands a fork changes only this. */
export const PRODUCT_NAME = 'Service Button';
