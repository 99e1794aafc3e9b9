/** Entry point `service-button/react`: the button as a React component, for React 18 and 19. */
import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type ForwardRefExoticComponent,
  type HTMLAttributes,
  type RefAttributes,
} from 'react';
import type { CryptoResult, Payment } from '../../protocol/payments/payment-types.ts';
import type { ButtonHandle } from '../api.ts';
import { callBack } from '../page/callbacks.ts';
import type { ButtonOptions } from '../options/button-options.ts';
import { OPTION_NAMES } from '../options/rules.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { pageServiceButton } from './browser.ts';

/** The component's callbacks, as of its latest render. A demo (`devMode`) doesn't call any. */
export interface ServiceButtonCallbacks {
  /** Receives the results of the crypto operations. Called before `onPayment`. */
  onCryptoOperations?: ((results: CryptoResult[]) => unknown) | null | undefined;
  /** Receives the payment, which proves nothing: verify it on your own server. */
  onPayment?: ((payment: Payment) => unknown) | null | undefined;
  /** Receives the error if the payment failed. `error.code` is the reason. */
  onError?: ((error: PaymentError) => unknown) | null | undefined;
  /** Called when the button is rendered. */
  onLoad?: (() => unknown) | null | undefined;
}

type PlainOptions = Omit<ButtonOptions, keyof ServiceButtonCallbacks>;
type ElementProps = Omit<HTMLAttributes<HTMLSpanElement>, keyof ButtonOptions | 'children' | 'dangerouslySetInnerHTML'>;

/** A button's options and callbacks, and the props of any element (`className`, `style`, `id`, `lang`, …). */
export interface ServiceButtonProps extends PlainOptions, ServiceButtonCallbacks, ElementProps {}

const CALLBACKS = [
  'onCryptoOperations',
  'onPayment',
  'onError',
  'onLoad',
] as const satisfies readonly (keyof ServiceButtonCallbacks)[];
const OPTIONS: ReadonlySet<string> = new Set(OPTION_NAMES);

// A layout effect, so the button is in the first paint. On a server, React 18 would warn about useLayoutEffect.
const useEffectBeforePaint = typeof window === 'undefined' ? useEffect : useLayoutEffect;

/**
 * A payment button. Changed options update the button in place, and unmounting removes it. `ref` is the button's
 * element. A server renders an empty `span`, because a `button.js` on the page would turn a `div.service-button` into a
 * button.
 */
export const ServiceButton: ForwardRefExoticComponent<ServiceButtonProps & RefAttributes<HTMLElement>> = forwardRef<
  HTMLElement,
  ServiceButtonProps
>((props, ref) => {
  const element = useRef<HTMLSpanElement>(null);
  const handle = useRef<ButtonHandle>(null);
  const latest = useRef<ServiceButtonCallbacks>(props);
  const { options, attributes } = divide(props);
  const key = JSON.stringify(options);

  useImperativeHandle(ref, () => element.current as HTMLElement, []);
  useEffectBeforePaint(() => {
    latest.current = props;
  });
  useEffectBeforePaint(() => {
    const callbacks = CALLBACKS.map((name) => [
      name,
      (given: never) => callBack(latest.current[name], name, element.current, given),
    ]);
    handle.current = pageServiceButton().render(element.current as HTMLElement, {
      ...options,
      ...Object.fromEntries(callbacks),
    });
  }, [key]);
  // Not a layout effect, because its cleanup also runs when a component suspends, and a paid button must keep its
  // receipt.
  useEffect(() => () => handle.current?.destroy(), []);

  const className = ['service-button', attributes.className].filter(Boolean).join(' ');
  return createElement('span', { ...attributes, className, ref: element });
});
ServiceButton.displayName = 'ServiceButton';

/** @alias Code written for the original button uses the default import. */
export default ServiceButton;

function divide(props: ServiceButtonProps): { options: PlainOptions; attributes: ElementProps } {
  const options: Record<string, unknown> = {};
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (!OPTIONS.has(name)) attributes[name] = value;
    else if (!(CALLBACKS as readonly string[]).includes(name)) options[name] = value;
  }
  return { options, attributes };
}
