import { StateEffect } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { Position } from '../../formats/text/text.ts'
import { findReadField, getFields, PLACES, scrollToField } from './form-places.ts'
import { FIELD_MARK, findReadPosition, showField, toPosition } from './source-mark.ts'
import type { SoughtPlace, SourcePlace } from './source-places.ts'

export { focusField } from './form-places.ts'
export { jumpTo } from './source-mark.ts'

/** The two panes of an editor. */
export interface FollowedPanes {
  form: HTMLElement
  /** Undefined while the editor is not loaded. */
  getView: () => EditorView | undefined
  /** Finds a place in the present text; undefined if that has errors. */
  locate: (sought: SoughtPlace) => Promise<SourcePlace | undefined>
}

type Side = 'form' | 'source'

const LEADING_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown']

/**
 * Keeps the form and the source at the same place of the document. The pane that the person uses leads, and only the
 * other one is moved; what is in sight stays where it is, and so does the focus.
 */
export class PaneFollower {
  readonly #panes: FollowedPanes
  readonly #ends = new AbortController()
  readonly #prepared = new WeakSet<EditorView>()
  #leader: Side = 'form'
  #isFocusing = false
  /** The field at which both panes are. */
  #field = ''
  #searchCount = 0

  constructor(panes: FollowedPanes) {
    this.#panes = panes
    const options = { signal: this.#ends.signal, capture: true, passive: true }
    const onScroll = onNextFrame((target: EventTarget | null) => this.#followScroll(target))
    for (const type of LEADING_EVENTS) {
      document.addEventListener(type, ({ target }) => this.#lead(target), options)
    }
    panes.form.addEventListener('focusin', ({ target }) => this.#followFocus(target), options)
    document.addEventListener('scroll', ({ target }) => onScroll(target), options)
    // The first input may have led into a field while this was loading.
    if (panes.form.contains(document.activeElement)) this.#followFocus(document.activeElement)
  }

  /** Moves a side that was hidden to the place where the other one is. */
  show(side: Side): void {
    requestAnimationFrame(() => {
      if (this.#field === '') return
      if (side === 'source') void this.#moveSource(this.#field, undefined)
      else scrollToField(this.#panes.form, this.#field, undefined)
    })
  }

  stop(): void {
    this.#ends.abort()
  }

  #lead(target: EventTarget | null): void {
    const view = this.#panes.getView()
    if (view !== undefined) this.#prepare(view)
    const isInSource = target instanceof Node && view?.dom.contains(target) === true
    this.#leader = isInSource ? 'source' : 'form'
  }

  #prepare(view: EditorView): void {
    if (this.#prepared.has(view)) return
    this.#prepared.add(view)
    const listener = EditorView.updateListener.of(({ selectionSet, docChanged, state }) => {
      if (!selectionSet || docChanged || this.#leader !== 'source') return
      void this.#moveForm(toPosition(view, state.selection.main.head), undefined)
    })
    view.dispatch({ effects: StateEffect.appendConfig.of([listener, FIELD_MARK]) })
  }

  #followFocus(target: EventTarget | null): void {
    const [field] = target instanceof Element ? getFields(target.closest(PLACES)) : []
    if (field === undefined || this.#leader !== 'form') return
    this.#isFocusing = true
    // The browser scrolls to the field within the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => (this.#isFocusing = false)))
    void this.#moveSource(field, undefined)
  }

  #followScroll(target: EventTarget | null): void {
    const view = this.#panes.getView()
    if (view !== undefined && target === view.scrollDOM && this.#leader === 'source') {
      const progress = getProgress(view.scrollDOM)
      // The form may have no fields for the first lines.
      if (view.scrollDOM.scrollTop === 0) window.scrollTo({ top: 0, behavior: 'instant' })
      void this.#moveForm(findReadPosition(view, progress), progress)
    } else if (target === document && this.#leader === 'form' && !this.#isFocusing) {
      const field = findReadField(this.#panes.form)
      if (field === undefined || field === this.#field) return
      void this.#moveSource(field, getProgress(document.documentElement))
    }
  }

  async #moveSource(field: string, progress: number | undefined): Promise<void> {
    this.#field = field
    const place = await this.#find({ field })
    const view = this.#panes.getView()
    if (place === undefined || view === undefined || view.dom.clientHeight === 0) return
    this.#prepare(view)
    showField(view, place, progress)
  }

  async #moveForm(position: Position, progress: number | undefined): Promise<void> {
    const place = await this.#find(position)
    if (place === undefined || place.field === this.#field) return
    this.#field = place.field
    scrollToField(this.#panes.form, place.field, progress)
  }

  // Only the last place that was sought counts.
  async #find(sought: SoughtPlace): Promise<SourcePlace | undefined> {
    this.#searchCount += 1
    const own = this.#searchCount
    const place = await this.#panes.locate(sought).catch(() => undefined)
    return own === this.#searchCount ? place : undefined
  }
}

function onNextFrame<Input>(work: (input: Input) => void): (input: Input) => void {
  let frame = 0
  return (input) => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => work(input))
  }
}

// 0 at the beginning of what scrolls, 1 at its end.
function getProgress({ scrollTop, scrollHeight, clientHeight }: Element): number {
  return scrollHeight > clientHeight ? Math.min(1, scrollTop / (scrollHeight - clientHeight)) : 0
}
