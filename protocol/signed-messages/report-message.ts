/** Proves that a report comes from the sender. Anyone can see a transaction, but only the sender has its keys. */

/** Returns the text that the first input's key signs. @param publicKey the sender's identity key, hex */
export function reportMessage(paymentId: string, txid: string, publicKey: string): string {
  return `Service Button payment report\nPayment: ${paymentId}\nTransaction: ${txid}\nSender: ${publicKey}`;
}

/**
 * Returns the text for a service where the sender has no account. It names the service instead of the sender, so the
 * service doesn't learn who paid and can't forward the proof.
 * @param service origin that receives the report
 */
export function anonymousReportMessage(paymentId: string, txid: string, service: string): string {
  return `Service Button payment report\nPayment: ${paymentId}\nTransaction: ${txid}\nService: ${service}`;
}
