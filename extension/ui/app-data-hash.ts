/** The popup's address ends with this if it opens at the backup of applications' data. */
export const APP_DATA_HASH = '#app-data';
