/** Headers of a request to WhatsOnChain, which takes its key bare. */
export const wocHeaders = (key: string | null): Record<string, string> => (key === null ? {} : { Authorization: key });
