/**
 * Describes recipients for windows, and compares them with those that the user knows: recipients paid earlier, contacts,
 * and the wallet itself. Attackers use addresses that resemble those in a user's history ("address poisoning").
 */
import { p2pkhHash, writeAddress, type Network, addressScript } from '../../../../protocol/bitcoin/address.ts';
import { fromHex } from '../../../../protocol/bitcoin/bytes.ts';
import { visualForm } from '../../../../protocol/text/confusables.ts';
import type { ShownOutput } from '../../../../protocol/messages/wallet-messages.ts';
import { addressesBetween, derived } from '../../../coins/addresses/addresses.ts';
import { type ContactBook, contactBook } from '../../../contacts/store.ts';
import { database, readKey, readTransaction } from '../../../store/database.ts';
import type { ResolvedOutput } from '../../../recipients/quote.ts';
import { OWN } from '../../../sites/site.ts';
import { isLive } from '../../move.ts';
import { latestPayments } from '../../store.ts';
import { latestReceipts } from '../../../coins/receipts/receipts.ts';
import { knownPaymails } from '../../../paymail/known.ts';
import type { Wallet } from '../../../platform.ts';
import { readInscription } from '../../../../protocol/assets/bsv21/inscription.ts';
import { describeScript, ScriptBudget } from '../../../recipients/describe-script.ts';
import { isWalletScript } from '../../../coins/addresses/records.ts';

/**
 * Numbers of payments to search: the latest from the wallet's own window, which sites' payments can't displace, and the
 * latest overall.
 */
const [LATEST_OWN, LATEST] = [200, 400];
/** Maximum number of known paymails to compare, in alphabetical order, which takes a fraction of a second. */
const MAX_PAYMAILS = 5000;
/** Number of characters at each end of an address that people compare, ignoring case. */
const COMPARED = 4;

type Known = 'paid' | 'contact' | 'own';

export type Compared = Pick<ShownOutput, 'firstPayment' | 'resembles'>;

/** The known recipients, read once per window. */
export interface KnownRecipients {
  /**
   * Returns what the window shows about the recipient.
   * @param addresses plain addresses that the output pays; ignored if a host supplied them
   */
  compare(output: Pick<ResolvedOutput, 'to' | 'host'>, addresses: readonly string[]): Compared;
}

export async function knownRecipients(
  wallet: Wallet,
  contacts: ContactBook,
  network: Network,
): Promise<KnownRecipients> {
  const known = { addresses: new Book(endsOf), names: new Book(nameLooks) };
  const own = await derived(wallet, 'receive');
  for (const { address } of await addressesBetween(wallet, 'receive', Math.max(0, own - LATEST), own))
    known.addresses.add(address, 'own');
  const account = await readKey(wallet, 'account');
  if (account) known.names.add(account.paymail, 'own');
  for (const { to, paymail, service } of contacts.all()) {
    if (paymail !== null) known.names.add(paymail, 'contact');
    else if (service === null) known.addresses.add(to, 'contact');
  }
  const isWhole = await addPaid(wallet, known, network);
  for (const { paymail, isUnpaid } of await knownPaymails(readTransaction(await database(wallet)), MAX_PAYMAILS))
    if (!isUnpaid) known.names.add(paymail, 'paid');
  return {
    compare({ to, host }, addresses) {
      if (host) {
        const resembles = known.names.resembled(host.paymail) ?? known.names.resembled(to.trim().toLowerCase());
        return resembles && !known.names.isChosen(host.paymail) ? { resembles } : {};
      }
      const resembled = addresses.flatMap((one) =>
        known.addresses.isChosen(one) ? [] : (known.addresses.resembled(one) ?? []),
      );
      const isNew = addresses.some((one) => !known.addresses.has(one));
      return {
        ...(isNew && { firstPayment: isWhole ? 'ever' : 'lately' }),
        ...(resembled[0] && { resembles: resembled[0] }),
      };
    },
  };
}

class Book {
  readonly #known = new Map<string, Known>();
  readonly #byLook = new Map<string, Set<string>>();
  /** Recipients that the user has entered or approved. Excludes recipients paid from allowances. */
  readonly #chosen = new Set<string>();
  readonly #lookOf: (text: string) => string;

  constructor(lookOf: (text: string) => string) {
    this.#lookOf = lookOf;
  }

  add(text: string, as: Known, isChosen = as !== 'paid'): void {
    if (isChosen) this.#chosen.add(text);
    if (this.#known.has(text)) return;
    this.#known.set(text, as);
    const look = this.#lookOf(text);
    const alike = this.#byLook.get(look) ?? new Set();
    this.#byLook.set(look, alike.add(text));
  }

  has(text: string): boolean {
    return this.#known.has(text);
  }

  isChosen(text: string): boolean {
    return this.#chosen.has(text);
  }

  /** Returns a known recipient that looks like the given one, or null if there is none. */
  resembled(text: string): ShownOutput['resembles'] | null {
    for (const to of this.#byLook.get(this.#lookOf(text)) ?? [])
      if (to !== text) return { compared: text, to, as: this.#known.get(to) as Known };
    return null;
  }
}

const endsOf = (address: string) => `${address.slice(0, COMPARED)} ${address.slice(-COMPARED)}`.toLowerCase();

function nameLooks(paymail: string): string {
  const at = paymail.lastIndexOf('@');
  return `${visualForm(paymail.slice(0, at))}@${visualForm(paymail.slice(at + 1))}`;
}

/** Adds the recipients of earlier payments. Returns false if there may be older payments beyond the search limit. */
async function addPaid(wallet: Wallet, known: { addresses: Book; names: Book }, network: Network): Promise<boolean> {
  const tx = readTransaction(await database(wallet));
  const own = await latestPayments(wallet, tx, OWN, LATEST_OWN);
  const all = await latestPayments(wallet, tx, null, LATEST);
  for (const record of [...own, ...all]) {
    const { quote, allowance, cancel, sweep, asset } = record;
    if (!isLive(record) || cancel || sweep || asset?.mint) continue;
    for (const output of quote.outputs) {
      if (output.host) known.names.add(output.host.paymail, 'paid', allowance === null);
      else for (const one of addressesOf(output, network)) known.addresses.add(one, 'paid', allowance === null);
    }
  }
  const receipts = await latestReceipts(wallet, tx, LATEST);
  for (const { spent, record } of receipts) {
    for (const { address } of spent?.paid ?? []) if (address !== null) known.addresses.add(address, 'paid');
    for (const { type, to } of record?.outputs ?? []) if (type === 'PAYMAIL') known.names.add(to.toLowerCase(), 'paid');
  }
  return all.length < LATEST && receipts.length < LATEST;
}

function addressesOf({ address, scripts }: ResolvedOutput, network: Network): string[] {
  if (address !== null) return [address];
  const hashes = scripts.flatMap(({ script }) => p2pkhHash(fromHex(script)) ?? []);
  return hashes.map((hash) => writeAddress(hash, network));
}

/** Converts outputs for display. Describes scripts as the wallet itself parses them. */
export async function shownOutputs(
  wallet: Wallet,
  outputs: readonly ResolvedOutput[],
  network: Network,
): Promise<ShownOutput[]> {
  const contacts = await contactBook(wallet);
  const known = await knownRecipients(wallet, contacts, network);
  const budget = new ScriptBudget();
  return Promise.all(outputs.map((output) => shownOutput(wallet, output, { network, contacts, known, budget })));
}

async function shownOutput(
  wallet: Wallet,
  { scripts, host, ...output }: ResolvedOutput,
  {
    network,
    contacts,
    known,
    budget,
  }: { network: Network; contacts: ContactBook; known: KnownRecipients; budget: ScriptBudget },
): Promise<ShownOutput> {
  const contact = contacts.find(output.to, host);
  const isNamedAnew = host?.namedBy !== undefined && contact?.paymail && contact.paymail !== host.paymail;
  const read = await Promise.all(
    scripts.map(async ({ script }) => {
      const bytes = fromHex(script);
      // A token's script contains the locking script to describe. The window shows the token separately.
      const described = describeScript((output.token && readInscription(bytes)?.lock) ?? bytes, network, budget);
      return {
        ...described,
        own: described.address !== null && (await isOwnAddress(wallet, described.address, network)),
      };
    }),
  );
  const simple = read.filter(({ kind, data }) => kind === 'address' && data.length === 0);
  const own = read.length > 0 && read.every((one) => simple.includes(one) && one.own);
  const addresses = simple.flatMap(({ address, own: isOwn }) => (isOwn ? [] : (address ?? [])));
  return {
    ...output,
    host: host
      ? {
          paymail: host.paymail,
          ...(host.namedBy !== undefined && { namedBy: new URL(host.namedBy).host }),
          host: new URL(host.origin).host,
          name: host.name,
          known: host.known,
          keyChangedSince: host.keyChangedSince,
          ...(host.keyUnavailable && { keyUnavailable: true }),
          ...(host.originBefore !== undefined && { hostBefore: new URL(host.originBefore).host }),
        }
      : null,
    own,
    ...(!own && known.compare({ to: output.to, host: host ?? null }, addresses)),
    scripts: output.type === 'SCRIPT' ? read : read.filter((one) => !simple.includes(one)),
    ...(contact && {
      contact: { name: contact.name, ...(isNamedAnew && contact.paymail && { paymailBefore: contact.paymail }) },
    }),
  };
}

async function isOwnAddress(wallet: Wallet, address: string, network: Network): Promise<boolean> {
  return isWalletScript(readTransaction(await database(wallet)), addressScript(address, network));
}
