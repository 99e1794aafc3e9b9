/** Onboarding in a separate page. */
import { mount } from '../ui/mount.tsx';
import { SiteAccess } from '../ui/site-access.tsx';
import { Onboarding } from './onboarding.tsx';
import '../ui/secrets.css';
import './onboarding.css';

mount(() => (
  <>
    <SiteAccess />
    <Onboarding />
  </>
));
