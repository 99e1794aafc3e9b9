/** The wallet's settings, in a tab. */
import { mount } from '../../ui/window/mount.tsx';
// Before the pages, whose rules refine these.
import '../../ui/secrets/secrets.css';
import '../popup.css';
import { SettingsWindow } from './settings-window.tsx';

mount(() => <SettingsWindow />);
