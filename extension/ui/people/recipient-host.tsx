/** Shows the unverified response of a recipient's host and the wallet's own records, below each recipient. */
import type { RecipientHost } from '../../../protocol/messages/wallet-messages.ts';
import { Avatar } from './avatar.tsx';
import { formatDate, visible } from '../amounts/format.ts';
import { CheckIcon, WarningIcon } from '../controls/icons.tsx';
import { LookAlikeNote } from './look-alike-note.tsx';
import { recipientTexts as t } from '../texts/texts.ts';

/** Maximum length of a profile name (characters), which is untrusted. */
const NAME_SHOWN = 100;

/** True if the recipient's key has changed or disappeared since an earlier payment. */
export const isKeyOdd = ({ keyChangedSince, keyUnavailable }: RecipientHost): boolean =>
  keyChangedSince !== null || keyUnavailable === true;

/** Shows the recipient's picture, unless its key is suspicious. A familiar face would weaken the warning. */
export function HostAvatar({ host, ask }: { host: RecipientHost; ask: boolean }) {
  return <Avatar name={host.paymail} paymail={isKeyOdd(host) ? null : host.paymail} ask={ask} small />;
}

/**
 * Shows the host's response. `to` is the requested recipient. The paymail in the response is also shown if it differs.
 */
export function RecipientHostFacts({
  host: { paymail, namedBy, host, name, known, keyChangedSince, keyUnavailable, hostBefore },
  to,
  paymailBefore,
}: {
  host: RecipientHost;
  to: string;
  /** For a contact with a user ID: the previous paymail, if different. */
  paymailBefore?: string | undefined;
}) {
  const same = known && keyChangedSince === null && !keyUnavailable && !hostBefore && !paymailBefore;
  return (
    <div class="recipient-host small" data-part="recipient-host">
      <dl class="facts">
        {paymail !== to.trim().toLowerCase() && (
          <>
            <dt>{t.paymail}</dt>
            <dd data-part="host-paymail">
              <bdi dir="ltr">{visible(paymail)}</bdi>
            </dd>
          </>
        )}
        {name !== null && (
          <>
            <dt>{t.name}</dt>
            <dd data-part="profile-name">
              <bdi>{visible(name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN)} …` : name)}</bdi>
            </dd>
          </>
        )}
        {namedBy !== undefined && (
          <>
            <dt>{t.namedBy}</dt>
            <dd data-part="named-by">
              <bdi dir="ltr">{visible(namedBy)}</bdi>
            </dd>
          </>
        )}
        <dt>{t.host}</dt>
        <dd data-part="host">
          <bdi dir="ltr">{visible(host)}</bdi>
        </dd>
      </dl>
      <LookAlikeNote name={paymail} />
      {/* Shown as reassuring only if the key, the host and the paymail haven't changed. */}
      <p class={`recipient-known ${same ? 'good' : known ? 'muted' : ''}`} data-part="known">
        {same && <CheckIcon size={14} />}
        {known ? t.known : t.first}
      </p>
      {keyChangedSince !== null && <KeyChanged since={keyChangedSince} />}
      {keyUnavailable && <Alarm part="key-unavailable">{t.keyUnavailable}</Alarm>}
      {hostBefore !== undefined && <Alarm part="host-changed">{t.hostChanged({ before: visible(hostBefore) })}</Alarm>}
      {paymailBefore !== undefined && (
        <Alarm part="named-anew">{t.namedAnew({ before: visible(paymailBefore) })}</Alarm>
      )}
    </div>
  );
}

function Alarm({ part, children }: { part: string; children: string }) {
  return (
    <p class="banner banner-warning recipient-alarm" data-part={part}>
      <WarningIcon size={16} />
      <span>{children}</span>
    </p>
  );
}

/** Warns that a paymail's key has changed. `since`: when the former key was first seen (milliseconds since 1970). */
export function KeyChanged({ since }: { since: number }) {
  return <Alarm part="key-changed">{t.keyChanged({ since: formatDate(since) })}</Alarm>;
}
