import { PAYMENT_PROTOCOL, type Permission } from '../../../protocol/messages/permission.ts';
import { quoted } from '../controls/quoted.ts';
import { permissionTexts as t } from '../texts/texts.ts';

/** Formats a protocol's name, in quotation marks because the site chose it. The payment protocol has a fixed name. */
export const protocolName = (protocol: string): string =>
  protocol === PAYMENT_PROTOCOL ? t.payments : quoted(protocol);

export function PermissionLine({ permission }: { permission: Permission }) {
  const key = keyOf(permission);
  return (
    <>
      <span class="permission-line anywhere">{inWords(permission)}</span>
      {key !== null && (
        <span class="permission-line mono small anywhere" data-part="counterparty">
          <bdi dir="ltr">{key}</bdi>
        </span>
      )}
    </>
  );
}

function keyOf(permission: Permission): string | null {
  if (permission.kind !== 'protocol' || permission.level === 1) return null;
  const { counterparty } = permission;
  return counterparty === 'self' || counterparty === 'anyone' ? null : counterparty;
}

function inWords(permission: Permission): string {
  switch (permission.kind) {
    case 'connect':
    case 'identity':
      return t.lines[permission.kind];
    case 'basket':
      return t.lines.basket({ name: quoted(permission.basket) });
    case 'protocol': {
      const name = protocolName(permission.protocol);
      if (permission.level === 1) return t.lines.protocol({ name });
      if (permission.counterparty === 'self') return t.lines.protocolSelf({ name });
      if (permission.counterparty === 'anyone') return t.lines.protocolAnyone({ name });
      return t.lines.protocolKey({ name });
    }
  }
}
