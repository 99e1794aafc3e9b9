import { useId, useState } from 'preact/hooks';
import type { SitePermission, SiteView } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatAge } from '../../ui/amounts/format.ts';
import { PermissionLine } from '../../ui/sites/permission-line.tsx';
import { permissionTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';

/** Number of permissions initially shown. */
const SHOWN = 8;

/** Lists a site's permissions, except those for payments, and lets users revoke one or all of them. */
export function SitePermissions({ site: { origin, permissions, allowances } }: { site: SiteView }) {
  const [all, setAll] = useState(false);
  const [sure, setSure] = useState(false);
  const remove = useAction(async (name: string | null) => void (await call('sites/forbid', { origin, name })));
  if (permissions.length === 0) return null;
  return (
    <section class="card site-allowance">
      <h2 class="subheading">{t.permissions}</h2>
      <ul class="site-permissions">
        {(all ? permissions : permissions.slice(0, SHOWN)).map((one) => (
          <Permitted
            key={one.name}
            one={one}
            isOneOfSeveral={permissions.length > 1}
            busy={remove.busy}
            onRemove={() => remove.run(one.name)}
          />
        ))}
      </ul>
      {!all && permissions.length > SHOWN && (
        <button type="button" class="button button-quiet button-small" onClick={() => setAll(true)}>
          {t.showAll({ n: permissions.length })}
        </button>
      )}
      {allowances.length > 0 && <p class="small muted">{t.staysConnected}</p>}
      <ErrorNote error={remove.error} />
      {permissions.length > 1 && !sure && (
        <button
          type="button"
          class="button button-quiet button-small"
          data-action="forbid-all"
          onClick={() => setSure(true)}
        >
          {t.removeAll}
        </button>
      )}
      {permissions.length > 1 && sure && (
        <div class="cluster">
          <button
            type="button"
            class="button button-danger button-small"
            aria-busy={remove.busy}
            data-action="forbid-all-sure"
            onClick={() => remove.run(null)}
          >
            {t.removeAllSure}
          </button>
          <button type="button" class="button button-quiet button-small" onClick={() => setSure(false)}>
            {t.cancel}
          </button>
        </div>
      )}
    </section>
  );
}

interface PermittedProps {
  one: SitePermission;
  isOneOfSeveral: boolean;
  busy: boolean;
  onRemove: () => void;
}

function Permitted({ one: { name, permission, grantedAt }, isOneOfSeveral, busy, onRemove }: PermittedProps) {
  // A generated ID, because names can contain spaces, but IDs can't.
  const line = useId();
  return (
    <li data-permission={name}>
      <span id={line}>
        <PermissionLine permission={permission} />
      </span>
      <span class="permission-line small muted">
        {t.since({ age: formatAge(grantedAt) })}
        {permission.kind === 'connect' && isOneOfSeveral && ` · ${t.withAll}`}
      </span>
      <button
        type="button"
        class="button button-quiet button-small"
        aria-busy={busy}
        data-action="forbid"
        aria-label={t.remove}
        aria-describedby={line}
        onClick={onRemove}
      >
        {t.remove}
      </button>
    </li>
  );
}
