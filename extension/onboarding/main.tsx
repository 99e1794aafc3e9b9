/** The first steps, as a page of their own. */
import { mount } from '../ui/mount.tsx';
import { Onboarding } from './onboarding.tsx';
import './onboarding.css';

mount(() => <Onboarding />);
