import { Dialog } from 'radix-ui'
import { useFocusBack } from '../parts/floating-dialog.tsx'
import { OrganizationSwitch } from './account-menu.tsx'
import { Brand, Navigation } from './navigation.tsx'

/** The navigation on a narrow page, opened by a button. */
export function NavigationDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const focusBack = useFocusBack()
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay data-veil className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content
          {...focusBack}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-40 flex w-64 max-w-[85vw] flex-col gap-4 overflow-y-auto bg-surface px-3 py-4"
        >
          <Dialog.Title className="sr-only">Navigation</Dialog.Title>
          <Brand />
          <OrganizationSwitch />
          <Navigation onFollow={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
