import { Outlet, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, Search, ShoppingBasket } from 'lucide-react'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useSession } from '../api/session.ts'
import { Button, IconButton, ButtonLink } from '../parts/button.tsx'
import { FromFirstOpen } from '../parts/from-first-open.tsx'
import { lazyPart, newFloatingChunk, takePart } from '../parts/lazy-part.ts'
import { countText } from '../parts/number-text.ts'
import { paths } from '../paths.ts'
import { useBasket } from './access-basket.ts'
import { useAccessChanges } from './access-changes.ts'
import { AccountMenu, OrganizationSwitch } from './account-menu.tsx'
import { Brand, GuideLink, Navigation } from './navigation.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { useRecentPages } from './recent-pages.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { SignOutProvider } from './sign-out.tsx'

const Palette = lazyPart(() => import('./palette.tsx'), 'Palette')

const NavigationDrawer = takePart(
  newFloatingChunk(() => import('./navigation-drawer.tsx')),
  (module) => module.NavigationDrawer,
)

const IgnoredParameters = lazyPart(() => import('./ignored-parameters.tsx'), 'IgnoredParameters')

const KeyboardHelp = lazyPart(() => import('./keyboard-help.tsx'), 'KeyboardHelp')

const NoOrganization = lazyPart(() => import('./no-organization.tsx'), 'NoOrganization')

/** The frame of the pages: navigation, organization, account and palette. */
export function Shell() {
  const { organization } = useSession()
  useAccessChanges()
  return (
    <SignOutProvider>
      {organization === null ? (
        <Suspense fallback={null}>
          <NoOrganization />
        </Suspense>
      ) : (
        <Frame />
      )}
    </SignOutProvider>
  )
}

function Frame() {
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const closePalette = useCallback(() => setPaletteOpen(false), [])
  const [isHelpOpen, setHelpOpen] = useState(false)
  const closeHelp = useCallback(() => setHelpOpen(false), [])
  const openPalette = (): void => setPaletteOpen(true)
  const openHelp = (): void => setHelpOpen(true)
  useShortcuts({ openPalette, openHelp })
  useRecentPages()
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[14rem_1fr]">
      <a
        href="#content"
        className="absolute left-2 top-2 z-50 -translate-y-20 rounded-md bg-accent-solid px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to the content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto border-r border-line bg-surface px-3 py-4 lg:flex">
        <Brand />
        <OrganizationSwitch />
        <Navigation />
        <div className="mt-auto">
          <GuideLink />
        </div>
      </aside>
      <div className="min-w-0">
        <Header openPalette={openPalette} openHelp={openHelp} />
        <main id="content" tabIndex={-1} className="outline-none">
          <AddressNotice />
          <Outlet />
        </main>
      </div>
      {isPaletteOpen && (
        <Suspense fallback={null}>
          <Palette onClose={closePalette} />
        </Suspense>
      )}
      {isHelpOpen && (
        <Suspense fallback={null}>
          <KeyboardHelp onClose={closeHelp} />
        </Suspense>
      )}
      <SignInAgain />
    </div>
  )
}

// Most addresses have no query, and need no code for it.
function AddressNotice() {
  const location = useRouterState({ select: (state) => state.location })
  if (location.searchStr === '') return null
  return (
    <Suspense fallback={null}>
      <IgnoredParameters path={location.pathname} query={location.searchStr} />
    </Suspense>
  )
}

function Header({ openPalette, openHelp }: Shortcuts) {
  const isHome = useRouterState({ select: ({ location }) => location.pathname === paths.home })
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b border-line bg-canvas/95 px-4 backdrop-blur sm:px-8">
      <NarrowNavigation />
      {/* Home has a search field of its own. */}
      {!isHome && (
        <Button
          look="secondary"
          icon={Search}
          className="min-w-0 flex-1 justify-start! font-normal! text-muted! sm:max-w-md"
          onClick={openPalette}
        >
          <span className="min-w-0 flex-1 truncate text-left">Search or jump to…</span>
          <kbd className="hidden text-xs text-faint sm:inline">Ctrl K</kbd>
        </Button>
      )}
      <span className="ml-auto flex items-center gap-1">
        <BasketLink />
        <NotificationBell />
        <AccountMenu onKeyboardHelp={openHelp} />
      </span>
    </header>
  )
}

function NarrowNavigation() {
  const address = useRouterState({ select: (state) => state.location.href })
  // Opened on one page, it is closed on the next.
  const [openAt, setOpenAt] = useState<string | undefined>(undefined)
  const isOpen = openAt === address
  return (
    <>
      <IconButton
        label="Open the navigation"
        icon={MenuIcon}
        iconSize={18}
        className="lg:hidden"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpenAt(address)}
      />
      <FromFirstOpen isOpen={isOpen}>
        <NavigationDrawer open={isOpen} onClose={() => setOpenAt(undefined)} />
      </FromFirstOpen>
    </>
  )
}

interface Shortcuts {
  openPalette: () => void
  openHelp: () => void
}

// Ctrl K works everywhere; single characters work only outside text fields.
function useShortcuts({ openPalette, openHelp }: Shortcuts): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const open = findShortcut(event, { openPalette, openHelp })
      if (open === undefined) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
}

function findShortcut(
  { key, ctrlKey, metaKey, target }: KeyboardEvent,
  { openPalette, openHelp }: Shortcuts,
): (() => void) | undefined {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? openPalette : undefined
  if (isTyping(target)) return undefined
  if (key === '/') return openPalette
  return key === '?' && !isInDialog(target) ? openHelp : undefined
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog], [role=alertdialog]') !== null
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** The link to the request of the output ports in the basket; nothing while it is empty. */
function BasketLink() {
  const { length } = useBasket()
  if (length === 0) return null
  return (
    <ButtonLink look="quiet" href={paths.requestAccess()} icon={ShoppingBasket}>
      <span className="sr-only">Basket: {countText(length, 'output port')}</span>
      <span aria-hidden className="figures">
        {length}
      </span>
    </ButtonLink>
  )
}
