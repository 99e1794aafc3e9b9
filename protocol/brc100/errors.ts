/**
 * Errors in the form of the BSV wallet interface (BRC-100): a numeric code, a name, a sentence, and fields that some
 * names have besides. Codes are those of `walletErrors` in @bsv/sdk.
 */
import { ERRORS, toWireError, type ErrorCode } from '../errors.ts';

/** The interface's numbers. 1 is everything that has none of its own. */
export const WALLET_ERRORS = {
  unknownError: 1,
  unsupportedAction: 2,
  invalidHmac: 3,
  invalidSignature: 4,
  reviewActions: 5,
  invalidParameter: 6,
  insufficientFunds: 7,
} as const;

/** An error as an application gets it. */
export interface Brc100ErrorForm {
  code: (typeof WALLET_ERRORS)[keyof typeof WALLET_ERRORS];
  /** `WERR_…` */
  name: string;
  description: string;
  /** Our own stable code, where the error is one of ours: docs/errors.md. */
  reason?: ErrorCode;
  /** Fields of single names, such as `parameter`. */
  [extra: string]: unknown;
}

/** An error that a handler throws where the interface's form says more than one of our codes does. */
export class Brc100Error extends Error {
  readonly form: Brc100ErrorForm;

  constructor(form: Brc100ErrorForm) {
    super(form.description);
    this.name = form.name;
    this.form = form;
  }
}

/** "The … parameter must be …" @param mustBe what it must be, in the reference code's words */
export function invalidParameter(parameter: string, mustBe = 'valid.'): Brc100Error {
  return new Brc100Error({
    code: WALLET_ERRORS.invalidParameter,
    name: 'WERR_INVALID_PARAMETER',
    description: `The ${parameter} parameter must be ${mustBe}`,
    parameter,
  });
}

/** What this wallet does not do. */
export function unsupported(what: string): Brc100Error {
  return new Brc100Error({
    code: WALLET_ERRORS.unsupportedAction,
    name: 'WERR_NOT_IMPLEMENTED',
    description: `This wallet doesn’t support ${what}.`,
  });
}

/** Our codes that the interface has a number of its own for. */
const OWN_NUMBER: Partial<Record<ErrorCode, Pick<Brc100ErrorForm, 'code' | 'name'>>> = {
  'unsupported-method': { code: WALLET_ERRORS.unsupportedAction, name: 'WERR_NOT_IMPLEMENTED' },
  'insufficient-funds': { code: WALLET_ERRORS.insufficientFunds, name: 'WERR_INSUFFICIENT_FUNDS' },
  'amount-too-many-coins': { code: WALLET_ERRORS.insufficientFunds, name: 'WERR_INSUFFICIENT_FUNDS' },
};
/** The name of all others, by who can do something about it: as the reference wallet names them. */
const NAMES = {
  page: 'WERR_BAD_REQUEST',
  user: 'WERR_UNAUTHORIZED',
  network: 'WERR_NETWORK_CHAIN',
  service: 'WERR_INTERNAL',
} as const;

/** Any error in the interface's form. What is none of ours becomes `WERR_INTERNAL`, and nothing of it is said. */
export function toBrc100Error(error: unknown): Brc100ErrorForm {
  if (error instanceof Brc100Error) return error.form;
  const { code, message } = toWireError(error);
  const { code: number, name } = OWN_NUMBER[code] ?? {
    code: WALLET_ERRORS.unknownError,
    name: NAMES[ERRORS[code].blame],
  };
  return { code: number, name, description: message, reason: code };
}
