import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Replaces a selection by what is typed over it without the browser's own editing, which would keep the
 * look of the first character as an inline style: the policy of the pages forbids those.
 */
export function plainTyping(): Extension {
  return EditorView.domEventHandlers({
    beforeinput({ inputType, data, isComposing, cancelable }, view) {
      if (inputType !== 'insertText' || data === null || isComposing || !cancelable) return false
      // Several selections at once are the editor's own affair.
      if (view.state.readOnly || view.state.selection.ranges.length > 1) return false
      // The editor is notified of a selection a moment after the browser made it.
      const selected = document.getSelection()
      if (selected === null || selected.rangeCount === 0 || selected.isCollapsed) return false
      const range = selected.getRangeAt(0)
      const from = view.posAtDOM(range.startContainer, range.startOffset)
      const to = view.posAtDOM(range.endContainer, range.endOffset)
      const insert = view.state.toText(data)
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        userEvent: 'input.type',
        scrollIntoView: true,
      })
      return true
    },
  })
}
