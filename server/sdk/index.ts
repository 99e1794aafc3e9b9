/** Verifies payments on a merchant's server. See docs/guides/verify-payments.md. */
export { checkPayment, type Rates } from './check-payment.ts';
export type { Expectation, ExpectedOutput } from './expectation.ts';
export type { Assets, KnownAsset } from './check-tokens.ts';
export type { Payment, PaymentOutput } from './payment.ts';
export { VerificationError, type VerificationCode } from './verification-error.ts';
export { verifyPayment, type Credential, type PaymentToVerify } from './verify-payment.ts';
export {
  verifyWebhook,
  type KnownWebhookEvent,
  type UnknownWebhookEvent,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookOptions,
} from './webhook.ts';
