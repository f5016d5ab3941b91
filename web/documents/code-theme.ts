import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { MediaType } from '../../formats/text/text.ts'

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--color-accent)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--color-caution)' },
  { tag: [tags.string, tags.content], color: 'var(--color-ink)' },
  { tag: [tags.comment, tags.meta], color: 'var(--color-faint)', fontStyle: 'italic' },
  {
    tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket],
    color: 'var(--color-muted)',
  },
])

const LOOK = EditorView.theme({
  '&': {
    backgroundColor: 'var(--color-surface)',
    color: 'var(--color-ink)',
    fontSize: '0.8125rem',
    height: '100%',
  },
  '&.cm-focused': { outline: '2px solid var(--color-accent)', outlineOffset: '1px' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontVariantLigatures: 'none',
    lineHeight: '1.55',
  },
  '.cm-content': { caretColor: 'var(--color-ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--color-sunken)',
    color: 'var(--color-faint)',
    borderRight: '1px solid var(--color-line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--color-hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    {
      backgroundColor: 'light-dark(#cfe4f1, #24506b)',
    },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--color-caution-soft)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--color-accent-soft)',
  },
  '.cm-panels': {
    backgroundColor: 'var(--color-raised)',
    color: 'var(--color-ink)',
    borderColor: 'var(--color-line)',
  },
  '.cm-textfield': {
    backgroundColor: 'var(--color-surface)',
    borderColor: 'var(--color-line-strong)',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--color-sunken)',
    borderColor: 'var(--color-line-strong)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--color-raised)',
    border: '1px solid var(--color-line)',
    maxWidth: 'min(32rem, 90vw)',
    overflowWrap: 'anywhere',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--color-critical)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--color-caution)' },
  '.cm-lintRange-error, .cm-lintRange-warning': { backgroundImage: 'none' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--color-critical)' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--color-caution)' },
  '.cm-changedText, .cm-deletedText': { backgroundImage: 'none !important' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--color-critical-soft)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--color-positive-soft)' },
  '&.cm-merge-a .cm-changedText': { textDecoration: 'underline var(--color-critical)' },
  '&.cm-merge-b .cm-changedText': { textDecoration: 'underline var(--color-positive)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…"' },
  '.cm-collapsedLines': {
    backgroundImage: 'none',
    backgroundColor: 'var(--color-sunken)',
    color: 'var(--color-muted)',
  },
})

/** Returns the look of code in all editors: colours, language, and a nonce for the styles. */
export function codeLook(mediaType: MediaType): Extension[] {
  const nonce = document.querySelector('meta[name=csp-nonce]')?.getAttribute('content') ?? ''
  return [
    EditorView.cspNonce.of(nonce),
    LOOK,
    syntaxHighlighting(COLOURS),
    mediaType === 'application/json' ? json() : yaml(),
    EditorView.lineWrapping,
  ]
}

/** Keeps the line ends with which a text came, so that it comes out of an editor as it went in. */
export function keepLineEnds(text: string): Extension {
  const isWindows = text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)
  return EditorState.lineSeparator.of(isWindows ? '\r\n' : '\n')
}
