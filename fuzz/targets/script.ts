/** Fuzzes locking scripts: their chunks, the wallet's description, inscriptions, tokens and owners. */
import { Script } from '@bsv/sdk';
import { describeScript } from '../../wallet/recipients/describe-script.ts';
import { readChunks, writeAsm } from '../../wallet/recipients/script-chunks.ts';
import { p2pkhHash } from '../../protocol/bitcoin/address.ts';
import { isDataScript } from '../../protocol/bitcoin/asm.ts';
import { ownerHash, readInscription, writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { mentionsToken, readTokenOperation } from '../../protocol/assets/bsv21/token.ts';
import { concatBytes, toHex } from '../../protocol/bitcoin/bytes.ts';
import { must, mustEqual, target } from '../target.ts';
import { scripts } from './testing-seeds.ts';

export default target({
  form: 'bytes',
  seeds: scripts,
  read: (script) => ({
    ...readChunks(script),
    asm: writeAsm(script),
    view: describeScript(script, 'mainnet'),
    inscription: readInscription(script),
    owner: ownerHash(script),
    token: readTokenOperation(script),
    mentions: mentionsToken(script),
  }),
  check: ({ chunks, cut, view, inscription, owner, token, mentions }, script) => {
    const end = chunks.at(-1)?.end ?? 0;
    must(
      chunks.every(({ at }, i) => at === (chunks[i - 1]?.end ?? 0)) && (cut || end === script.length),
      'the chunks have a gap',
    );
    // Other scripts aren't comparable. @bsv/sdk treats everything after an OP_RETURN as its data, and accepts a
    // truncated last push.
    const isComparable = !cut && !script.includes(0x6a);
    if (isComparable)
      mustEqual(
        chunks.map(({ opcode }) => opcode),
        Script.fromBinary([...script]).chunks.map(({ op }) => op),
        'the chunks differ from @bsv/sdk’s',
      );
    if (view.kind === 'address') must(chunks.length >= 5 && !isDataScript(script), 'shown as an address, but not one');
    if (p2pkhHash(script))
      mustEqual([view.kind, toHex(owner!)], ['address', toHex(p2pkhHash(script)!)], 'not shown as its address');
    const lock = inscription?.lock ?? script;
    if (owner) must(lock.length === 25 || lock[25] === 0x6a, 'has an owner, but the script continues');
    if (token) must(mentions, 'a token that the script doesn’t mention');
    if (inscription && inscription.contentType !== '') {
      const { contentType, content } = inscription;
      must(lock.length + content.length + contentType.length < script.length, 'the parts exceed the script');
      must(isTakenOut(script, lock), 'the envelope lacks a beginning or an end');
      const written = writeInscription(contentType, content, lock);
      const again = readInscription(written);
      // If the lock contains an OP_RETURN, an envelope after it isn't an inscription.
      if (!lock.includes(0x6a))
        mustEqual(
          again && toHex(concatBytes(again.content, again.lock)),
          toHex(concatBytes(content, lock)),
          'read differently',
        );
    }
  },
});

const ENVELOPE = '0063036f7264';
/** True if removing a part that begins and ends like an inscription envelope turns the script into the lock. */
function isTakenOut(script: Uint8Array, lock: Uint8Array): boolean {
  const size = script.length - lock.length;
  const [whole, rest] = [toHex(script), toHex(lock)];
  for (let at = whole.indexOf(ENVELOPE); at >= 0; at = whole.indexOf(ENVELOPE, at + 1))
    if (whole.slice(0, at) + whole.slice(at + 2 * size) === rest && script[at / 2 + size - 1] === 0x68) return true;
  return false;
}
