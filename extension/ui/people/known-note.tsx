import type { ShownOutput } from '../../../protocol/messages/wallet-messages.ts';
import { visible } from '../amounts/format.ts';
import { WarningIcon } from '../controls/icons.tsx';
import { recipientTexts as t } from '../texts/texts.ts';

/** Shows that a payment is the first to its address, and warns if a recipient looks like a known one. */
export function KnownNote({ output: { firstPayment, resembles } }: { output: ShownOutput }) {
  return (
    <>
      {firstPayment && (
        <p class="small muted" data-part="first-payment">
          {t.firstPayment[firstPayment]}
        </p>
      )}
      {resembles && <Resembles {...resembles} />}
    </>
  );
}

function Resembles({ compared, to, as }: NonNullable<ShownOutput['resembles']>) {
  return (
    <div class="banner banner-warning small" data-part="resembles">
      <p class="banner-title look-alike-title">
        <WarningIcon size={16} />
        <span>
          {t.resembles[as]} {t.resembles.care}
        </span>
      </p>
      <dl class="stack stack-tight">
        <div>
          <dt>{t.resembles.this}</dt>
          <dd>
            <Difference text={compared} from={to} />
          </dd>
        </div>
        <div>
          <dt>{t.resembles.that[as]}</dt>
          <dd>
            <Difference text={to} from={compared} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

/** Shows `text`, and highlights the part that differs from `from`. */
function Difference({ text, from }: { text: string; from: string }) {
  const [one, other] = [[...text], [...from]];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const part = (from: number, to: number) => visible(one.slice(from, to).join(''));
  return (
    <bdi dir="ltr" class="mono anywhere">
      {part(0, start)}
      <mark>{part(start, one.length - end)}</mark>
      {part(one.length - end, one.length)}
    </bdi>
  );
}
