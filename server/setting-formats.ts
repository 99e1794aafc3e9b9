import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { isLoopbackHost } from '../protocol/text/web-address.ts';

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const isWeb = (url: URL | null): url is URL =>
  url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';

export const whole = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)),
    z.pipe(
      z.transform(Number),
      z
        .number()
        .check(
          z.minimum(least, `must be a whole number from ${least} to ${most}`),
          z.maximum(most, `must be a whole number from ${least} to ${most}`),
        ),
    ),
  );

export const webUrl = z
  .string()
  .check(
    z.refine(
      (text) => isWeb(urlOf(text)) && !/[?#]/.test(text),
      'must be an http or https URL without user, query or fragment',
    ),
  );

const listOf = (text: string) => text.split(',').map((one) => one.trim());
export const webUrls = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => listOf(text).every((one) => isWeb(urlOf(one)) && !/[?#]/.test(one)),
        'must be http or https URLs without user, query or fragment, separated by commas',
      ),
    ),
  z.transform(listOf),
);

export const databaseUrl = z
  .string()
  .check(
    z.refine(
      (text) => /^postgres(?:ql)?:$/.test(urlOf(text)?.protocol ?? ''),
      'must be a URL that begins with postgresql://',
    ),
  );

export const storePage = z
  .string()
  .check(
    z.refine(
      (text) => isWeb(urlOf(text)) && urlOf(text)?.protocol === 'https:',
      'must be an https URL of a page without a user',
    ),
  );

export const origin = z.string().check(
  z.refine((text) => {
    const url = urlOf(text);
    return isWeb(url) && url.pathname === '/' && !/[?#]/.test(text);
  }, 'must be an http or https URL without a path, like https://pay.example.com'),
);

/** True for an IP address, a network (RFC 4632), or one of Express's names for networks. */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && (bits === undefined || Number(bits) <= (version === 4 ? 32 : 128));
}

export const proxies = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => listOf(text).every(isProxy),
        'must be addresses or networks of proxies, separated by commas, like 127.0.0.1,10.0.0.0/8',
      ),
    ),
  z.transform(listOf),
);

const LIMITS = 'must be on, off, or a factor for all limits, above 0 and up to 1000';
export const limits = z.pipe(
  z.string().check(z.refine((text) => /^(?:on|off|\d{1,4}(?:\.\d{1,3})?)$/.test(text), LIMITS)),
  z.pipe(
    z.transform((text: string) => (text === 'off' ? null : text === 'on' ? 1 : Number(text))),
    z.nullable(z.number().check(z.positive(LIMITS), z.maximum(1000, LIMITS))),
  ),
);

export const onOrOff = z.pipe(
  z.enum(['on', 'off'], 'must be on or off'),
  z.transform((text) => text === 'on'),
);

export const domain = z.string().check(
  z.refine((text) => {
    const [, name = '', port] = /^([^:]*)(?::([1-9]\d{0,4}))?$/.exec(text) ?? [];
    const isName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(name);
    return isName && (port === undefined || (isLoopbackHost(name) && Number(port) <= 65_535));
  }, 'must be a lowercase domain name, with a port only for this machine, like localhost:3000'),
);

export const apiKey = z
  .string()
  .check(z.regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 ASCII characters without spaces'));
