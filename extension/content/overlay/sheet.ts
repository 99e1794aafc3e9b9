/**
 * Creates the style sheet of the overlay frame's host element. `:host` with `!important` in a closed shadow root
 * overrides all styles of the page (CSS Cascading and Inheritance 5, section 6.1: among important rules, the inner tree
 * wins).
 */

/**
 * The declarations, as computed values. `all` doesn't include `direction` and `unicode-bidi`, so these are listed
 * separately.
 */
const PROPERTIES = (
  'display:block visibility:visible direction:ltr unicode-bidi:normal writing-mode:horizontal-tb zoom:1 ' +
  'right:auto bottom:auto margin:0px padding:0px border-width:0px border-radius:0px min-width:0px min-height:0px ' +
  'max-width:none max-height:none box-sizing:content-box float:none z-index:auto overflow:visible ' +
  'transform:none translate:none rotate:none scale:none perspective:none offset-path:none transform-style:flat ' +
  'backface-visibility:visible filter:none backdrop-filter:none mix-blend-mode:normal clip:auto clip-path:none ' +
  'mask-image:none mask-border-source:none -webkit-mask-box-image-source:none box-shadow:none outline-style:none ' +
  'background-image:none content-visibility:visible contain:none will-change:auto cursor:auto user-select:none ' +
  'interactivity:auto animation-name:none transition-property:none view-transition-name:none ' +
  'position-area:none position-try-fallbacks:none position-visibility:always color-scheme:normal'
)
  .split(' ')
  .map((one) => one.split(':') as [string, string]);

/** For a positioned element, the computed values depend on its box instead of the declarations. */
const COMPUTED_OTHERWISE = ['right', 'bottom'];

const important = (properties: readonly (readonly [string, string])[]) =>
  properties.map(([name, value]) => `${name}:${value}!important`).join(';');

const CSS = `
:host{all:initial!important;${important(PROPERTIES)}}
iframe{all:initial!important;display:block!important;position:relative!important;z-index:2147483647!important;pointer-events:inherit!important;width:100%!important;height:100%!important}
:host(:not(:popover-open)),:host::backdrop,:host::before,:host::after{display:none!important;content:none!important}
@media print{:host{display:none!important}}`;

export interface HostSheet {
  set(of: 'host' | 'frame', properties: Readonly<Record<string, string>>): void;
  /** True if the host's declared and computed styles match this sheet. */
  isKept(host: HTMLElement): boolean;
}

export function styleHost(root: ShadowRoot): HostSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  root.adoptedStyleSheets = [sheet];
  const [hostRule, frameRule] = sheet.cssRules as unknown as [CSSStyleRule, CSSStyleRule];
  const expected = new Map(PROPERTIES.filter(([name]) => !COMPUTED_OTHERWISE.includes(name)));
  return {
    set(of, properties) {
      for (const [name, value] of Object.entries(properties)) {
        (of === 'host' ? hostRule : frameRule).style.setProperty(name, value, 'important');
        if (of === 'host' && !value.endsWith('px')) expected.set(name, value);
      }
    },
    isKept(host) {
      const style = getComputedStyle(host);
      // Browsers return no value for unsupported properties.
      return [...expected].every(([name, value]) => (style.getPropertyValue(name) || value) === value);
    },
  };
}
