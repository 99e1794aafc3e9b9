/**
 * Notes that the user's own wallet encrypts, signs and decrypts: ten methods of BRC-100, with the unmodified client of
 * @bsv/sdk, which detects the wallet automatically.
 */
import { Utils, WalletClient } from '@bsv/sdk';

const wallet = new WalletClient();
/**
 * Level 1: the user is prompted once for this site. manifest.json declares this permission, so it is part of the prompt
 * for the connection.
 */
const key = { protocolID: [1, 'sealed notes'] as [1, string], keyID: '1', counterparty: 'self' };
let sealed: { ciphertext: number[]; hmac: number[]; signature: number[] } | null = null;

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const say = (id: string, text: string) => (find(id).textContent = text);

const trying = (work: () => Promise<void>) => () => {
  say('problem', '');
  work().catch((error: Error) => say('problem', error.message));
};

async function greet(): Promise<void> {
  const [{ version }, { network }, { authenticated }] = await Promise.all([
    wallet.getVersion({}),
    wallet.getNetwork({}),
    wallet.isAuthenticated({}),
  ]);
  say('wallet', `${version} on ${network}, ${authenticated ? 'connected' : 'not connected, or locked'}`);
  find<HTMLButtonElement>('seal').disabled = false;
}

async function seal(): Promise<void> {
  await wallet.waitForAuthentication({});
  const plaintext = Utils.toArray(find<HTMLTextAreaElement>('note').value, 'utf8');
  const { ciphertext } = await wallet.encrypt({ ...key, plaintext });
  const { hmac } = await wallet.createHmac({ ...key, data: ciphertext });
  const { signature } = await wallet.createSignature({ ...key, data: ciphertext });
  const { publicKey } = await wallet.getPublicKey({ ...key, forSelf: true });
  sealed = { ciphertext, hmac, signature };
  say('sealed', `${ciphertext.length} bytes, signed by ${publicKey}`);
  find<HTMLButtonElement>('open').disabled = false;
}

async function open(): Promise<void> {
  if (!sealed) return;
  const { ciphertext, hmac, signature } = sealed;
  await wallet.verifyHmac({ ...key, data: ciphertext, hmac });
  await wallet.verifySignature({ ...key, data: ciphertext, signature, forSelf: true });
  const { plaintext } = await wallet.decrypt({ ...key, ciphertext });
  say('opened', Utils.toUTF8(plaintext));
}

find('seal').addEventListener('click', trying(seal));
find('open').addEventListener('click', trying(open));
trying(greet)();
