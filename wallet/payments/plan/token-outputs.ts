/** Resolves a payment's asset outputs to scripts that contain the asset's token. */
import { isAssetName } from '../../../protocol/assets/asset-name.ts';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { readTokenDecimal } from '../../../protocol/assets/bsv21/amount.ts';
import { MAX_TOKEN_AMOUNT } from '../../../protocol/assets/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../../protocol/assets/bsv21/validity.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { parseDecimal } from '../../../protocol/money/money.ts';
import type { RequestedOutput } from '../../../protocol/payments/payment.ts';
import { shownSymbol } from '../../assets/list.ts';
import { namedToken } from '../../assets/named-token.ts';
import { namesIn } from '../../crypto-operations/substitute.ts';
import type { Quote, QuotedAsset, ResolvedOutput } from '../../recipients/quote.ts';
import { outputOf, quoteOf, recipientOf, ordinalScriptFor } from '../../recipients/resolve.ts';
import { countHostRequests } from '../../request-limits/rate-limit.ts';
import { holding } from './token-coins.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Resolves the outputs that pay an asset. Amounts are final, but the coins are chosen only when the payment is made.
 * @param client the requesting site
 * @param service see {@link namedToken}
 * @throws ServiceError `mixed-currencies` (several assets), `invalid-amount`, `amount-too-precise`,
 * `invalid-recipient`, `unsupported-recipient`, and the errors of {@link namedToken}, paymails and user IDs
 */
export async function resolveTokens(
  wallet: Wallet,
  outputs: readonly RequestedOutput[],
  network: Network,
  client: string,
  service: string | null,
): Promise<{ outputs: ResolvedOutput[]; asset: QuotedAsset }> {
  const [{ currency } = { currency: '' }] = outputs;
  if (outputs.some((output) => output.currency !== currency))
    throw new ServiceError('mixed-currencies', { message: 'A payment can pay at most one asset.' });
  // A placeholder's value would be inserted into the requested script, not into the token's script.
  if (namesIn(outputs).size > 0) throw new ServiceError('invalid-recipient');
  const recipients = outputs.map(recipientOf);
  const { id, mint, namedBy, name } = await namedToken(wallet, currency, client, service);
  const units = outputs.map(({ amount }) => unitsOf(amount, mint.decimals));
  const sum = units.reduce((total, one) => total + one, 0n);
  if (sum > MAX_TOKEN_AMOUNT) throw tooMuch();
  countHostRequests(wallet, client, recipients.filter(({ type }) => type === 'PAYMAIL' || type === 'USER').length);
  const resolved = await Promise.all(
    recipients.map((recipient, i) =>
      ordinalScriptFor(wallet, recipient, network, client, service).then(({ scripts: [{ script }], host }) => ({
        scripts: [
          {
            script: toHex(holding(id, units[i] as bigint, fromHex(script)).lockingScript),
            satoshis: TOKEN_SATOSHIS,
          },
        ],
        host,
      })),
    ),
  );
  return {
    outputs: outputs.map(({ amount }, i) => ({
      ...outputOf(
        recipients[i] as (typeof recipients)[number],
        { amount, currency: name, satoshis: TOKEN_SATOSHIS },
        resolved[i] as (typeof resolved)[number],
      ),
      token: { id, units: String(units[i]) },
    })),
    asset: {
      id,
      symbol: shownSymbol(mint.symbol),
      decimals: mint.decimals,
      word: mint.word,
      namedBy,
      units: sum.toString(),
    },
  };
}

/**
 * Returns the quote of a payment in money, an asset or both, with outputs in the requested order.
 * @param money the quote of the part in money; null if only the asset is paid
 */
export function quoteWith(
  asked: readonly RequestedOutput[],
  money: Quote | null,
  { outputs, asset }: Awaited<ReturnType<typeof resolveTokens>>,
): Quote {
  const [ofMoney, ofAsset] = [[...(money?.outputs ?? [])], [...outputs]];
  const all = asked.map(({ currency }) => (isAssetName(currency) ? ofAsset : ofMoney).shift() as ResolvedOutput);
  const satoshis = all.reduce((sum, output) => sum + BigInt(output.satoshis), 0n);
  return { ...(money ?? quoteOf(outputs)), outputs: all, satoshis, asset };
}

const tooMuch = () => new ServiceError('invalid-amount', { message: 'The amount is more than the total supply.' });

/** Converts an amount to the token's smallest units. Trailing zeros don't count as decimals. */
function unitsOf(amount: string, decimals: number): bigint {
  if (parseDecimal(amount).units === 0n) throw new ServiceError('invalid-amount');
  const exact = amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
  if ((exact.split('.')[1]?.length ?? 0) > decimals) throw new ServiceError('amount-too-precise');
  const units = readTokenDecimal(exact, decimals);
  if (units === null) throw tooMuch();
  return units;
}
