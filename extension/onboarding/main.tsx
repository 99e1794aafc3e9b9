/** Entry point for the onboarding page. */
import { mount } from '../ui/window/mount.tsx';
import { SiteAccess } from '../ui/sites/site-access.tsx';
import { Onboarding } from './onboarding.tsx';
import '../ui/secrets/secrets.css';
import './onboarding.css';

mount(() => (
  <>
    <SiteAccess />
    <Onboarding />
  </>
));
