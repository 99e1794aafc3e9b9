/** The second step for users who press the track instead of dragging the thumb (WCAG 2.2, 2.5.7). */
import { adoptStyle, icon, make, piece } from '../button/elements.ts';
import type { HelpKit, HelpPart } from '../page/parts.ts';
import { fill } from '../text/texts.ts';
import css from './help.css?inline';
import { ENGLISH } from './texts.ts';

/** A line drawing (see {@link icon}). */
const CROSS = 'M6 6l12 12M18 6L6 18';

interface Step {
  kit: HelpKit;
  elements: [pay: HTMLElement, cancel: HTMLElement];
}

/** The buttons of each second step. Reused, because replacing a button would interrupt a click in progress. */
const steps = new WeakMap<ShadowRoot, Step>();

function makeStep(kit: HelpKit): Step {
  const button = (attributes: { part: string }, act: () => void, child: Node) => {
    const made = piece('button', { ...attributes, type: 'button' }, child);
    // Ignores a double click and a held key, which were meant for the previous step.
    made.onclick = ({ detail }) => detail < 2 && act();
    made.onkeydown = (event) => {
      const isEscape = event.key === 'Escape';
      if (!isEscape && !event.repeat) return;
      event.preventDefault();
      event.stopPropagation();
      if (isEscape) step.kit.cancelled();
    };
    return made;
  };
  adoptStyle(kit.root, css);
  const step: Step = {
    kit,
    elements: [
      button({ part: 'pay' }, () => step.kit.swiped(), make('span', {})),
      button({ part: 'cancel' }, () => step.kit.cancelled(), icon(CROSS)),
    ],
  };
  return step;
}

export const step: HelpPart['step'] = (kit) => {
  const { root, face, situation } = kit;
  const texts = { ...ENGLISH, ...situation.texts };
  const made = steps.get(root) ?? makeStep(kit);
  steps.set(root, made);
  made.kit = kit;
  const [pay, cancel] = made.elements;
  const text = fill(texts.step[face.kind!], { amount: face.amount! });
  const { label } = situation.configuration!.options;
  pay.firstChild!.textContent = text;
  pay.setAttribute('aria-label', label ? fill(texts.nameWithLabel, { name: text, label }) : text);
  cancel.setAttribute('aria-label', texts.cancel);
  return made.elements;
};
