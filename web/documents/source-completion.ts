import {
  autocompletion,
  completionKeymap,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { hoverTooltip, keymap, type EditorView, type Tooltip } from '@codemirror/view'
import type { MediaType } from '../../formats/text/text.ts'
import type { DocumentKind } from './document-kind.ts'
import { describeField, findStandard, listFields, listValues } from './field-help.ts'
import { findTypedPlace } from './place-in-text.ts'

/** Completes names and values of fields by the standard of a document, and explains fields on hover. */
export function sourceCompletion(reader: DocumentKind['reader'], mediaType: MediaType): Extension {
  return [
    autocompletion({
      override: [(context) => complete(context, reader, mediaType)],
      icons: false,
    }),
    keymap.of(completionKeymap),
    hoverTooltip((view, position) => explain(view, position, reader, mediaType)),
  ]
}

const TYPED_CHARACTERS_MAX = 200_000

function complete(
  { state, pos, explicit }: CompletionContext,
  reader: DocumentKind['reader'],
  mediaType: MediaType,
): CompletionResult | null {
  // In a large text only those who ask for it wait for the place to be found.
  if (!explicit && state.doc.length > TYPED_CHARACTERS_MAX) return null
  const text = state.doc.toString()
  const place = findTypedPlace(text, pos, mediaType)
  if (place === undefined || (!explicit && place.typed === '')) return null
  const standard = findStandard(reader, text)
  const { path, key, typed } = place
  const isQuoted = text[pos - typed.length - 1] === '"'
  const options =
    key === undefined
      ? listFields(standard, path).map(
          ({ name, isNested, isRequired, description }): Completion => ({
            label: name,
            detail: isRequired ? 'required' : '',
            apply: isQuoted ? name : applyField(name, isNested, mediaType),
            ...(description === undefined ? {} : { info: description }),
          }),
        )
      : listValues(standard, path, key).map((value): Completion => ({
          label: value,
          apply: isQuoted || mediaType !== 'application/json' ? value : JSON.stringify(value),
        }))
  return options.length === 0 ? null : { from: place.from, options, validFor: /^[\w.-]*$/ }
}

function applyField(name: string, isNested: boolean, mediaType: MediaType): string {
  if (mediaType === 'application/json') return `"${name}": `
  return isNested ? `${name}:` : `${name}: `
}

const WORD = /[\w$-]/

function explain(
  view: EditorView,
  position: number,
  reader: DocumentKind['reader'],
  mediaType: MediaType,
): Tooltip | null {
  const line = view.state.doc.lineAt(position)
  let from = position - line.from
  let to = from
  while (from > 0 && WORD.test(line.text.charAt(from - 1))) from -= 1
  while (WORD.test(line.text.charAt(to))) to += 1
  // Only names of fields are explained.
  if (from === to || !/^"?\s*:/.test(line.text.slice(to))) return null
  const text = view.state.doc.toString()
  const place = findTypedPlace(text, line.from + to, mediaType)
  if (place === undefined || place.key !== undefined) return null
  const standard = findStandard(reader, text)
  const description = describeField(standard, place.path, line.text.slice(from, to))
  if (description === undefined) return null
  return {
    pos: line.from + from,
    end: line.from + to,
    above: true,
    create: () => {
      const dom = document.createElement('div')
      dom.className = 'max-w-96 px-2.5 py-1.5 text-sm'
      dom.textContent = description
      return { dom }
    },
  }
}
