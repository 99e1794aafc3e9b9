/** Entry point for the wallet's settings, in a tab. */
import { mount } from '../../ui/window/mount.tsx';
// Imported before the pages, because their style rules override these.
import '../../ui/secrets/secrets.css';
import '../popup.css';
import { SettingsWindow } from './settings-window.tsx';

mount(() => <SettingsWindow />);
