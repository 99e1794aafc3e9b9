/** Entry point for the approval window, `index.html?id=<approval id>`. */
import { mount } from '../ui/window/mount.tsx';
import { Approval } from './approval.tsx';
import './approval.css';
import './payment/recipients.css';
import './operations/operations.css';
import './decision.css';

mount(() => <Approval id={new URLSearchParams(location.search).get('id') ?? ''} />);
