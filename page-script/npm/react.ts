/** Entry `service-button/react`: the button as a React component. Works with React 18 and 19. */
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

/** The component's callbacks, always those of the latest rendering. A dummy (`devMode`) calls none. */
export interface ServiceButtonCallbacks {
  /** The results of the crypto operations; before `onPayment`. */
  onCryptoOperations?: ((results: CryptoResult[]) => unknown) | null | undefined;
  /** Paid. The payment proves nothing: ask the service on your own server. */
  onPayment?: ((payment: Payment) => unknown) | null | undefined;
  /** Not paid. `error.code` is the reason. */
  onError?: ((error: PaymentError) => unknown) | null | undefined;
  /** The button is there. */
  onLoad?: (() => unknown) | null | undefined;
}

type PlainOptions = Omit<ButtonOptions, keyof ServiceButtonCallbacks>;
type ElementProps = Omit<HTMLAttributes<HTMLSpanElement>, keyof ButtonOptions | 'children' | 'dangerouslySetInnerHTML'>;

/** The options of a button, its callbacks, and the props of any element (`className`, `style`, `id`, `lang`, …). */
export interface ServiceButtonProps extends PlainOptions, ServiceButtonCallbacks, ElementProps {}

const CALLBACKS = [
  'onCryptoOperations',
  'onPayment',
  'onError',
  'onLoad',
] as const satisfies readonly (keyof ServiceButtonCallbacks)[];
const OPTIONS: ReadonlySet<string> = new Set(OPTION_NAMES);

// Before the browser paints, so that the button appears immediately. A server runs neither, and React 18 complains
// about this one there.
const useEffectBeforePaint = typeof window === 'undefined' ? useEffect : useLayoutEffect;

/**
 * A payment button. A changed option changes it in place, new functions for the same callbacks do not, and unmounting
 * removes it. `ref` is its element. A server renders an empty `span`, because a `button.js` on the page makes buttons
 * of every `div.service-button` itself.
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
  // Not before paint: those effects also end when something suspends, and a paid button must keep its receipt.
  useEffect(() => () => handle.current?.destroy(), []);

  const className = ['service-button', attributes.className].filter(Boolean).join(' ');
  return createElement('span', { ...attributes, className, ref: element });
});
ServiceButton.displayName = 'ServiceButton';

/** @alias Pages written for the original import it this way. */
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
