/** Proves that a report comes from the sender. Anyone can see a transaction, but only the sender has its keys. */

/** Returns the text that is signed with the first input's key. @param publicKey the sender's identity key, hex */
export function reportMessage(paymentId: string, txid: string, publicKey: string): string {
  return `Service Button payment report\nPayment: ${paymentId}\nTransaction: ${txid}\nSender: ${publicKey}`;
}

/**
 * Returns the text for a service where the sender has no account. The text names the service instead of the sender, so
 * the service doesn't find out who paid, and can't use the proof at another service.
 * @param service origin of the service that receives the report
 */
export function anonymousReportMessage(paymentId: string, txid: string, service: string): string {
  return `Service Button payment report\nPayment: ${paymentId}\nTransaction: ${txid}\nService: ${service}`;
}
