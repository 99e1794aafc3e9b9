/** Headers for WhatsOnChain, which expects its key without a scheme. */
export const wocHeaders = (key: string | null): Record<string, string> => (key === null ? {} : { Authorization: key });
