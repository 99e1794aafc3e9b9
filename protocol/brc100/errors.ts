/**
 * Errors in the form of BRC-100: a number, a name, a sentence, and additional fields of some names. Numbers are those
 * of `walletErrors` in @bsv/sdk.
 */
import { ERROR_NAMES } from './error-names.ts';
import { ERRORS, toWireError, type ErrorCode } from '../errors/service-error.ts';

/** The interface's numbers. 1 is every error without a number. */
export const WALLET_ERRORS = {
  unknownError: 1,
  unsupportedAction: 2,
  invalidHmac: 3,
  invalidSignature: 4,
  reviewActions: 5,
  invalidParameter: 6,
  insufficientFunds: 7,
} as const;

export interface Brc100ErrorForm {
  code: (typeof WALLET_ERRORS)[keyof typeof WALLET_ERRORS];
  name: string;
  description: string;
  /** This project's stable code, if the error has one: docs/errors.md. */
  reason?: ErrorCode;
  /** Fields of single names, such as `parameter`. */
  [extra: string]: unknown;
}

/** For errors that the interface's form describes better than one of our codes. */
export class Brc100Error extends Error {
  readonly form: Brc100ErrorForm;

  constructor(form: Brc100ErrorForm) {
    super(form.description);
    this.name = form.name;
    this.form = form;
  }
}

/** "The … parameter must be …" @param mustBe in the reference code's words */
export function invalidParameter(parameter: string, mustBe = 'valid.'): Brc100Error {
  return new Brc100Error({
    code: WALLET_ERRORS.invalidParameter,
    name: 'WERR_INVALID_PARAMETER',
    description: `The ${parameter} parameter must be ${mustBe}`,
    parameter,
  });
}

/** The error for methods and options that this wallet doesn't support. */
export function unsupported(what: string): Brc100Error {
  return new Brc100Error({
    code: WALLET_ERRORS.unsupportedAction,
    name: 'WERR_NOT_IMPLEMENTED',
    description: `This wallet doesn’t support ${what}.`,
  });
}

/** This project's codes with a number in the interface. */
const OWN_NUMBER: Partial<Record<ErrorCode, Pick<Brc100ErrorForm, 'code' | 'name'>>> = {
  'unsupported-method': { code: WALLET_ERRORS.unsupportedAction, name: 'WERR_NOT_IMPLEMENTED' },
  'insufficient-funds': { code: WALLET_ERRORS.insufficientFunds, name: 'WERR_INSUFFICIENT_FUNDS' },
  'amount-too-many-coins': { code: WALLET_ERRORS.insufficientFunds, name: 'WERR_INSUFFICIENT_FUNDS' },
};
/** Any error in the interface's form. Foreign errors become `WERR_INTERNAL` without their message. */
export function toBrc100Error(error: unknown): Brc100ErrorForm {
  if (error instanceof Brc100Error) return error.form;
  const { code, message } = toWireError(error);
  const { code: number, name } = OWN_NUMBER[code] ?? {
    code: WALLET_ERRORS.unknownError,
    name: ERROR_NAMES[ERRORS[code].blame],
  };
  return { code: number, name, description: message, reason: code };
}
