/** Renders Markdown for the service's pages, with GitHub's dialect and anchors. */
import { dirname, join, normalize } from 'node:path';
import { Marked, type Tokens } from 'marked';

export interface RenderedDocument {
  title: string;
  html: string;
  headings: { id: string; text: string }[];
}

export interface LinkTarget {
  address: string;
  /** The title of a linked document, as HTML. */
  title?: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (letter) => ESCAPES[letter] ?? '');

/** Returns GitHub's anchor for a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/**
 * Renders a document. HTML in the document is shown as text.
 * @param path the document's path relative to the project's root
 * @param targetOf returns a linked file's address, and a title that replaces its name as link text. Null if the file
 * has no address, in which case only the text is shown
 */
export function renderMarkdown(
  path: string,
  markdown: string,
  targetOf: (path: string) => LinkTarget | null,
): RenderedDocument {
  const headings: RenderedDocument['headings'] = [];
  const used = new Map<string, number>();
  let title = '';

  const idOf = (text: string) => {
    const anchor = anchorOf(text);
    const before = used.get(anchor) ?? 0;
    used.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
  const targetFrom = (href: string): LinkTarget | null => {
    if (/^(?:https?|mailto):/.test(href) || href.startsWith('#')) return { address: href };
    if (/^[a-z]+:/i.test(href)) return null;
    const [file = '', anchor] = href.split('#');
    const target = targetOf(normalize(join(dirname(path), file)));
    return target && anchor !== undefined ? { ...target, address: `${target.address}#${anchor}` } : target;
  };

  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        const plain = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = idOf(text.replaceAll('`', ''));
        if (depth === 1 && title === '') {
          title = inner;
          return '';
        }
        if (depth === 2) headings.push({ id, text: escaped(plain) });
        const look = depth === 2 ? 'heading' : 'subheading';
        return `<h${depth} class="${look}" id="${id}"><a class="heading-link" href="#${id}">${inner}</a></h${depth}>\n`;
      },
      code({ text, lang }: Tokens.Code) {
        const language = /^[a-z]+/.exec(lang ?? '')?.[0] ?? '';
        return `<div class="well code-frame"><div class="row code-head"><span class="small muted">${language}</span></div><pre class="code" tabindex="0"><code>${escaped(text)}\n</code></pre></div>\n`;
      },
      table(token: Tokens.Table) {
        const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const plain = ({ tokens }: Tokens.TableCell) =>
          escaped(this.parser.parseInline(tokens, this.parser.textRenderer));
        const heads = token.header.map(plain);
        const head = token.header.map((one) => `<th scope="col">${inline(one)}</th>`).join('');
        // In a narrow window, a row's cells are stacked, each with the name of its column.
        const rows = token.rows
          .map((row) => `<tr>${row.map((one, i) => `<td data-head="${heads[i]}">${inline(one)}</td>`).join('')}</tr>\n`)
          .join('');
        return `<div class="table-scroll"><table class="table"><thead><tr>${head}</tr></thead><tbody>\n${rows}</tbody></table></div>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = targetFrom(href);
        if (!target) return inner;
        const text = /^[\w./-]+\.md$/.test(inner) ? (target.title ?? inner) : inner;
        return `<a class="link" href="${escaped(target.address)}">${text}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        const target = targetFrom(href);
        return target === null
          ? escaped(text)
          : `<img src="${escaped(target.address)}" alt="${escaped(text)}" loading="lazy">`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return escaped(text);
      },
      list({ ordered, start, items }: Tokens.List) {
        const name = ordered ? 'ol' : 'ul';
        const from = ordered && start !== 1 && start !== '' ? ` start="${start}"` : '';
        return `<${name} class="prose-list"${from}>\n${items.map((item) => this.listitem(item)).join('')}</${name}>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, html, headings };
}
