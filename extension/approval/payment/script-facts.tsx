import type { ScriptView } from '../../../protocol/messages/wallet-messages.ts';
import { Address } from '../../ui/people/address.tsx';
import { formatBytes, visible } from '../../ui/amounts/format.ts';
import { WarningIcon } from '../../ui/controls/icons.tsx';
import { approvalTexts as t } from '../../ui/texts/texts.ts';
import { ReadableData } from '../operations/readable-data.tsx';
import { scriptText } from '../../ui/script-text.ts';
import { toneOf } from '../../ui/sites/script-tone.ts';

/**
 * Shows the wallet's interpretation of a script: who can spend the money, and the data in it. Also shows the script
 * itself, expanded unless it is a plain payment. `satoshis` is the output's amount.
 */
export function ScriptFacts({ script, satoshis }: { script: ScriptView; satoshis: bigint }) {
  const tone = toneOf(script, satoshis);
  const said = scriptText(script, satoshis);
  return (
    <div class="script-facts" data-script={script.kind}>
      {tone === 'plain' ? (
        <p>{said}</p>
      ) : (
        <p class={`banner banner-${tone} script-alarm`}>
          <WarningIcon size={16} />
          <span>{said}</span>
        </p>
      )}
      {script.kind === 'address' && (
        <div class="recipient-to anywhere">
          <Address text={script.address ?? ''} />
        </div>
      )}
      {script.keys.length > 0 && (
        <ul class="recipient-to anywhere mono small" aria-label={t.publicKeys} tabIndex={0}>
          {script.keys.map((key, i) => (
            <li key={i}>{key}</li>
          ))}
        </ul>
      )}
      {script.own && (script.kind !== 'address' || script.data.length > 0) && (
        <p class="warn small">
          <WarningIcon size={16} />
          {t.ownUnseen}
        </p>
      )}
      {script.data.length > 0 && (
        <div>
          <p class="small muted">{t.scriptData}</p>
          {script.data.map((data, i) => (
            <ReadableData key={i} data={data} label={t.scriptDataPart({ n: i + 1 })} />
          ))}
        </div>
      )}
      <details class="script-source" open={tone !== 'plain'}>
        <summary class="small">{t.scriptSource({ size: formatBytes(script.bytes) })}</summary>
        <pre class="well mono small" tabIndex={0} aria-label={t.scriptAsm}>
          {visible(script.asm)}
        </pre>
        <pre class="well mono small" tabIndex={0} aria-label={t.scriptHex}>
          {script.hex}
          {script.hex.length / 2 < script.bytes && ` … ${t.dataCut}`}
        </pre>
      </details>
    </div>
  );
}
