import type { Permission } from '../../../protocol/messages/permission.ts';
import type { PermissionPromptView } from '../../../protocol/messages/wallet-messages.ts';
import { visible } from '../../ui/amounts/format.ts';
import { protocolName } from '../../ui/sites/permission-line.tsx';
import { permissionTexts as t } from '../../ui/texts/texts.ts';
import { useGuard } from '../../ui/window/use-guard.ts';
import { Decision, type Choice } from '../decision.tsx';
import { MoreBelow, useMoreBelow } from '../more-below.tsx';
import { Question } from '../question.tsx';

interface PermissionProps {
  view: PermissionPromptView;
  deciding: { current: boolean };
  decide: (choice: Choice) => Promise<void>;
}

/**
 * Shows the prompt for one permission: the site, the purpose, what the site may and may not do with it, and the
 * decision. Names of protocols and baskets come from the page.
 */
export function PermissionPrompt({ view, deciding, decide }: PermissionProps) {
  const guard = useGuard(JSON.stringify({ ...view, locked: false }));
  const more = useMoreBelow();
  const { permission, publicKey } = view;
  return (
    <div class="approval">
      <Question view={view} title={t.title[permission.kind]} asks={t.asks[permission.kind]}>
        {publicKey !== null && <Part name="key" title={t.key} text={publicKey} isKey />}
        {permission.kind === 'basket' && <Part name="basket" title={t.basket} text={visible(permission.basket)} />}
        {permission.kind === 'protocol' && <ProtocolParts permission={permission} />}
        <p data-part="may">{mayDo(permission)}</p>
        {permission.kind === 'connect' && <OnceConnected />}
        {view.connects && <p data-part="connects">{t.connects}</p>}
        <p class="small muted">
          {t.not[permission.kind]} {t.takeBack}
        </p>
        <div ref={more.end} />
      </Question>
      <Decision
        title={t.title[permission.kind]}
        locked={view.locked}
        mayBlock={view.mayBlock}
        guard={guard}
        deciding={deciding}
        decide={decide}
        yes={{
          action: 'permit',
          busy: t.busy,
          possible: true,
          label: view.locked ? t.unlockAndYes : t.yes,
        }}
      >
        {more.hidden && <MoreBelow onShow={() => window.scrollTo(0, document.documentElement.scrollHeight)} />}
      </Decision>
    </div>
  );
}

function mayDo(permission: Permission): string {
  return permission.kind === 'protocol' && permission.level === 2 ? t.may.protocolWith : t.may[permission.kind];
}

/** Shows what a connection allows immediately, and what the site may request later. */
function OnceConnected() {
  return (
    <>
      <ul class="checklist" data-part="may-once-connected">
        {t.mayOnceConnected.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <p data-part="may-name">{t.mayName}</p>
    </>
  );
}

function ProtocolParts({ permission }: { permission: Extract<Permission, { kind: 'protocol' }> }) {
  const { protocol, counterparty } = permission;
  const who = { self: t.self, anyone: t.anyone }[counterparty ?? ''] ?? counterparty;
  return (
    <>
      <Part name="purpose" title={t.purpose} text={protocolName(protocol)} />
      <Part
        name="counterparty"
        title={t.counterparty}
        text={who ?? t.any}
        isKey={who !== null && who === counterparty}
      />
    </>
  );
}

interface PartProps {
  name: string;
  title: string;
  text: string;
  isKey?: boolean;
}

function Part({ name, title, text, isKey = false }: PartProps) {
  return (
    <section aria-labelledby={name}>
      <h2 class="part" id={name}>
        {title}
      </h2>
      <div class="well recipient">
        <p class={isKey ? 'mono small anywhere' : 'recipient-name anywhere'} data-part={name}>
          <bdi dir={isKey ? 'ltr' : undefined}>{text}</bdi>
        </p>
      </div>
    </section>
  );
}
