/** Entry point for the `service-button` package. Importing has no side effects, so it also works on servers. */
import type { ServiceButton } from '../api.ts';
import { pageServiceButton } from './browser.ts';

/**
 * The JavaScript API, same as `window.serviceButton`. Unlike `button.js`, the package doesn't create buttons until the
 * page calls `render` or `scan`.
 * @throws Error when used on a server
 */
export const serviceButton: ServiceButton = {
  render: (element, options) => pageServiceButton().render(element, options),
  get IMB() {
    return pageServiceButton().IMB;
  },
  scan: (root) => pageServiceButton().scan(root),
  observe: (on) => pageServiceButton().observe(on),
  provide: (name, part) => pageServiceButton().provide(name, part),
};

export { setServiceUrl } from './browser.ts';
export { ConfigurationError, type ConfigurationReason } from '../configuration-error.ts';
export { PaymentError } from '../wallet/payment-error.ts';
export type { ErrorCode } from '../../protocol/errors/service-error.ts';
export type {
  CryptoMethod,
  CryptoResult,
  Payment,
  PaymentOutput,
  PaymentStatus,
  RecipientKind,
} from '../../protocol/payments/payment-types.ts';
export type { ButtonHandle, Imb, ImbOptions, Money, ServiceButton, SwipeResult } from '../api.ts';
export type { ButtonOptions, Callback, CryptoOption, OutputOption } from '../options/button-options.ts';
export type { Texts } from '../text/texts.ts';
