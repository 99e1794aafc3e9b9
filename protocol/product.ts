/** The product's name as people read it, everywhere. An operator who brands a fork changes it here alone. */
export const PRODUCT_NAME = 'Service Button';
