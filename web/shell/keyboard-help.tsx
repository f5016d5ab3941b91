import { Dialog } from '../parts/dialog.tsx'

interface Shortcut {
  /** The ways to press it: the keys of each are pressed together. */
  keys: readonly (readonly string[])[]
  action: string
}

const GROUPS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: [['Ctrl', 'K'], ['/']], action: 'Search or jump to a page' },
      { keys: [['?']], action: 'Show the keyboard shortcuts' },
      { keys: [['Esc']], action: 'Close a dialog or menu' },
      { keys: [['F8']], action: 'Move to the latest message' },
    ],
  },
  {
    title: 'Field and asset trees',
    shortcuts: [
      { keys: [['↑'], ['↓']], action: 'Move to the previous or next row' },
      { keys: [['→'], ['←']], action: 'Expand or collapse a row' },
      { keys: [['Home'], ['End']], action: 'Move to the first or last row' },
      { keys: [['Page Up'], ['Page Down']], action: 'Move ten rows' },
      { keys: [['Enter']], action: 'Open a row' },
    ],
  },
  {
    title: 'Source editor',
    shortcuts: [
      { keys: [['Ctrl', 'Z']], action: 'Undo' },
      { keys: [['Ctrl', 'F']], action: 'Find' },
      { keys: [['Tab']], action: 'Indent' },
      { keys: [['Esc'], ['Tab']], action: 'Press one after the other to leave the editor' },
    ],
  },
]

/** The dialog that lists the keyboard shortcuts. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      {/* Takes the focus first: at a button with a tooltip, Escape would close the tooltip only. */}
      <div
        role="group"
        aria-label="Shortcuts"
        tabIndex={0}
        className="-mx-2 grid gap-4 rounded-md px-2 py-1"
      >
        {GROUPS.map(({ title, shortcuts }) => (
          <section key={title} className="grid gap-1.5">
            <h3 className="text-sm font-semibold">{title}</h3>
            <dl className="grid gap-1.5">
              {shortcuts.map((shortcut) => (
                <div key={shortcut.action} className="flex items-baseline justify-between gap-4">
                  <dt className="text-muted">{shortcut.action}</dt>
                  <dd className="flex shrink-0 flex-wrap justify-end gap-x-1.5 gap-y-1">
                    <Keys keys={shortcut.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function Keys({ keys }: Pick<Shortcut, 'keys'>) {
  return keys.map((together) => (
    <span key={together.join('+')} className="inline-flex gap-0.5">
      {together.map((key) => (
        <kbd
          key={key}
          className="rounded border border-line-strong bg-sunken px-1.5 font-sans text-xs"
        >
          {key}
        </kbd>
      ))}
    </span>
  ))
}
