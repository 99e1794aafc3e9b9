/** Matches an address among valid texts for a recipient. Its checksum is checked by the part `help`. */
export const ADDRESS = /^[1mn][A-Za-z1-9]{24,35}$/;
