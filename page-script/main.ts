/** Entry of `dist/button.js`, the script that pages include. */
import { whenPageHasLoaded } from './page-load.ts';
import { ButtonFactory } from './service-button.ts';
import { serviceUrl } from './service-url.ts';

// A second copy of the script finds the first and leaves everything to it. (An element with this id is no copy.)
if (typeof window.serviceButton?.render !== 'function') {
  const factory = new ButtonFactory(window, serviceUrl(document));
  window.serviceButton = factory.api();
  whenPageHasLoaded(window, () => factory.scan(document));
}
