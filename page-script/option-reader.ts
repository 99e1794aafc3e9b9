import { missingOptions, type ConfigurationError } from './configuration-error.ts';
import { addressIn, configurePlainly, type Configuration, type RawOptions } from './options/plain.ts';
import { isAvailable, part, type Chosen, type HelpPart, type OptionsPart } from './page/parts.ts';

/** Returns the reader of unusual options, or undefined until it is loaded. */
export const reader = (loaded: () => void) => part<OptionsPart>('options', loaded);

/**
 * Reads options.
 * @param loaded called when a part has been loaded, to read the options again
 * @returns the configuration or the error, null until the reader is loaded
 */
export function readOptionsNow(
  given: RawOptions,
  chosen: Chosen | undefined,
  loaded: () => void,
): Configuration | ConfigurationError | null {
  try {
    return read(given, chosen, loaded);
  } catch (cause) {
    // `instanceof` would fail, because the part has its own copy of the class.
    if (!(cause as ConfigurationError).reason) throw cause;
    return cause as ConfigurationError;
  }
}

function read(given: RawOptions, chosen: Chosen | undefined, loaded: () => void): Configuration | null {
  const plain = configurePlainly(given);
  const address = plain && addressIn(plain);
  // Without the `help` part, only the wallet checks the address. The full reader explains why an address is invalid.
  if (plain && (!address || part<HelpPart>('help', loaded)?.isAddress(address) !== false)) return plain;
  if (!isAvailable('options')) throw missingOptions();
  return reader(loaded)?.configure(given, isAvailable('form'), chosen) ?? null;
}
