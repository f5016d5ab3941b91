import type { EditorView } from '@codemirror/view'
import { useCallback, useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import type { Position } from '../../formats/text/text.ts'
import { useFirstInput } from '../parts/first-input.ts'
import { newFloatingChunk } from '../parts/lazy-part.ts'
import { locateBeside } from './document-thread.ts'
import type { PaneFollower } from './form-follower.ts'
import type { Reveal } from './reveal.ts'
import type { SoughtPlace } from './source-places.ts'
import type { Editing } from './use-editing.ts'

const chunk = newFloatingChunk(() => import('./form-follower.ts'))

interface LinkedPanes {
  formRef: RefObject<HTMLDivElement | null>
  /** Takes the editor of the source when it is there. */
  onView: (view: EditorView | undefined) => void
  /** Moves the cursor of the source to a position. */
  jump: (position: Position) => void
}

/**
 * Links the form with the source: each follows the other, and a field that is to be shown gets the focus. `side` is
 * the visible one of a narrow page.
 */
export function useLinkedPanes(
  { writing, reveal }: Pick<Editing, 'writing' | 'reveal'>,
  side: string,
  onShow: (side: 'form' | 'source') => void,
): LinkedPanes {
  const formRef = useRef<HTMLDivElement>(null)
  const viewRef = useRef<EditorView>(undefined)
  const follower = useRef<PaneFollower>(undefined)
  const onView = useCallback((view: EditorView | undefined) => {
    viewRef.current = view
    if (view !== undefined) follower.current?.show('source')
  }, [])
  const hasInput = useFirstInput()
  const locate = useEffectEvent((sought: SoughtPlace) =>
    locateBeside(writing.text, writing.mediaType, sought),
  )
  useEffect(() => {
    if (!hasInput) return undefined
    let isOver = false
    chunk.load().then(
      (module) => {
        const { current: form } = formRef
        if (isOver || form === null) return
        follower.current = new module.PaneFollower({
          form,
          getView: () => viewRef.current,
          locate: (sought) => locate(sought),
        })
      },
      // Without it, the panes are only moved one by one.
      () => undefined,
    )
    return () => {
      isOver = true
      follower.current?.stop()
    }
  }, [hasInput])
  useEffect(() => {
    follower.current?.show(side === 'source' ? 'source' : 'form')
  }, [side])
  const jump = (position: Position): void => {
    onShow('source')
    // On a narrow page, the source is drawn first.
    requestAnimationFrame(() => {
      chunk.load().then(
        ({ jumpTo }) => viewRef.current && jumpTo(viewRef.current, position),
        () => undefined,
      )
    })
  }
  useRevealed(reveal, {
    formRef,
    showForm: () => onShow('form'),
    showSource: async (field) => {
      const place = await locate({ field })
      if (place !== undefined) jump(place)
    },
  })
  return { formRef, onView, jump }
}

interface RevealOptions {
  formRef: RefObject<HTMLDivElement | null>
  showForm: () => void
  /** Shows a field that the form does not have. */
  showSource: (field: string) => Promise<void>
}

// Focuses a field that is to be shown, wherever it is.
function useRevealed(reveal: Reveal | undefined, options: RevealOptions): void {
  const show = useEffectEvent(async (field: string): Promise<void> => {
    const { formRef, showForm, showSource } = options
    showForm()
    const { focusField } = await chunk.load()
    const { current: form } = formRef
    if (form === null || !(await focusField(form, field))) await showSource(field)
  })
  useEffect(() => {
    if (reveal !== undefined) show(reveal.field).catch(() => undefined)
  }, [reveal])
}
