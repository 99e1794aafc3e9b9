import type { RecipientHost } from '../../../protocol/messages/wallet-messages.ts';
import { Avatar } from '../../ui/people/avatar.tsx';
import { visible } from '../../ui/amounts/format.ts';
import { CheckIcon } from '../../ui/controls/icons.tsx';
import { sendTexts as t, texts } from '../../ui/texts/texts.ts';
import type { RequestedHost } from './asked-host.ts';

/** Maximum length of a profile name on this line (characters). The review shows more of the name. */
const NAME_SHOWN = 40;

interface HostLineProps {
  asked: RequestedHost;
  /** True if the host is being queried or is about to be. */
  asking: boolean;
  found: RecipientHost | null;
  /** Repeats the query. Null if a retry can't succeed. */
  onAgain: (() => void) | null;
}

/** Shows the state of a recipient's lookup. Rendered even while empty, to prevent layout shifts. */
export function HostLine({ asked, asking, found, onAgain }: HostLineProps) {
  return (
    <div class="send-host small" data-part="host-line">
      <p role="status" class="send-host-line">
        {found !== null ? (
          <Found found={found} asked={asked} asking={asking} />
        ) : (
          asking && (
            <>
              <span class="spinner" />
              <span class="muted">{t.hosts.asking({ host: asked.host })}</span>
            </>
          )
        )}
      </p>
      {onAgain !== null && (
        <button type="button" class="link" data-action="ask-again" onClick={onAgain}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}

function Found({
  found: { paymail, host, name },
  asked,
  asking,
}: {
  found: RecipientHost;
  asked: RequestedHost;
  asking: boolean;
}) {
  return (
    <>
      {asking ? (
        <span class="spinner" />
      ) : (
        <span class="good">
          <CheckIcon size={16} />
        </span>
      )}
      <Avatar name={paymail} paymail={paymail} ask small />
      <span class="send-found">
        {asked.kind === 'USER' ? <bdi dir="ltr">{visible(paymail)}</bdi> : t.hosts.found({ host: visible(host) })}
        {name !== null && (
          <span class="muted">
            {' '}
            · <bdi>{visible(name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN)} …` : name)}</bdi>
          </span>
        )}
      </span>
    </>
  );
}
