/** Proves that a payment report comes from its sender: anyone can see a transaction, only its maker has the keys. */

/** The text that the first input's key signs. @param publicKey the sender's identity key, hex */
export function reportMessage(paymentId: string, txid: string, publicKey: string): string {
  return `Service Button payment report\nPayment: ${paymentId}\nTransaction: ${txid}\nSender: ${publicKey}`;
}

/**
 * The same for a service where the sender has no account. It names the service instead of the sender, so that no
 * service learns the payer or can forward the proof.
 * @param service the origin of the report's recipient
 */
export function anonymousReportMessage(paymentId: string, txid: string, service: string): string {
  return `Service Button payment report\nPayment: ${paymentId}\nTransaction: ${txid}\nService: ${service}`;
}
