/** Manages the form of a button that has input fields. The form's code is loaded on demand. */
import { part, type Form, type FormKit, type FormPart } from '../page/parts.ts';
import type { View } from './view.ts';

export type FormKind = 'editable' | 'choice' | '';

export interface ButtonForm {
  kind(): FormKind;
  form(): Form | null;
  become(kind: FormKind): boolean;
}

/** Creates the object that manages the form. @param loaded called when the `form` part has been loaded */
export function createButtonForm(view: View, kit: FormKit, loaded: () => void): ButtonForm {
  let form: Form | null = null;
  let has: FormKind = '';
  return {
    kind: () => has,
    form: () => form,
    become(kind) {
      if (kind === has) return true;
      const room = view.roomForForm(kind !== '');
      const forms = room && part<FormPart>('form', loaded);
      const create = kind === 'choice' ? forms?.createChoice : forms?.create;
      form = (room && create?.(room, kit)) ?? null;
      if (!room || form) has = kind;
      return kind === has;
    },
  };
}
