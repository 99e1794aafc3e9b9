import type { ComponentChild } from 'preact';
import { ChevronIcon } from '../../ui/icons.tsx';

interface SettingsRowProps {
  title: string;
  note?: string;
  /** Instead of the arrow that says that a page opens. */
  icon?: ComponentChild;
  onClick: () => void;
}

/** A line of the settings that opens a page of its own, or does one thing. */
export function SettingsRow({ title, note, icon, onClick }: SettingsRowProps) {
  return (
    <button type="button" class="list-row" onClick={onClick}>
      <span class="list-main">
        <span class="list-title">{title}</span>
        {note && <span class="list-note">{note}</span>}
      </span>
      <span class="muted">{icon ?? <ChevronIcon size={16} />}</span>
    </button>
  );
}
