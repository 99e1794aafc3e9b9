import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('html', () => {
  it('escapes text and attribute values', () => {
    const evil = `"><script>alert('x')</script>&amp;`;
    expect(String(html`<a title="${evil}">${evil}</a>`)).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;</a>',
    );
  });

  it('inserts its own fragments and lists of them unescaped, and nothing for null', () => {
    const pieces = html`${['<', html`<li>${1n}</li>`]}${null}${undefined}${false}${0}`;
    expect(String(pieces)).toBe('&lt;<li>1</li>0');
  });

  it('escapes objects that look like its fragments', () => {
    const forged = { toString: () => '<script>' } as never;
    expect(() => String(html`${forged}`)).toThrow();
  });

  it('never allows a value to end its element or attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(String(html`${text}`)).not.toMatch(/[<>"']/);
      }),
    );
  });
});
