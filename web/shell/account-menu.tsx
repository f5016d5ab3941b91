import { useRouter } from '@tanstack/react-router'
import { Building2, Check, ChevronsUpDown, Keyboard, LogOut, Plus, UserRound } from 'lucide-react'
import { useState } from 'react'
import { mayOwn, useSession } from '../api/session.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Menu, MenuHeading, MenuItem, MenuLine } from '../parts/menu.tsx'
import { paths } from '../paths.ts'
import { useOrganizationChoice } from './session-actions.ts'
import { useSignOut } from './sign-out.tsx'
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme.ts'

/** The menu that switches the organization; its button shows the current one. */
export function OrganizationSwitch() {
  const session = useSession()
  const router = useRouter()
  const switchTo = useOrganizationChoice()
  const { organization, organizations } = session
  return (
    <Menu
      align="start"
      trigger={
        <Button look="quiet" className="w-full justify-between! px-2!">
          <span className="user-text min-w-0 truncate">
            {organization?.name ?? 'No organization'}
          </span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-faint" />
          <span className="sr-only">Switch organization</span>
        </Button>
      }
    >
      <MenuHeading>Organizations</MenuHeading>
      {organizations.map(({ id, name }) => (
        <MenuItem
          key={id}
          icon={id === organization?.id ? Check : Building2}
          onSelect={() => void switchTo(id)}
        >
          {name}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem
        icon={Plus}
        reason={mayOwn(session).reason}
        onSelect={() => router.history.push(`${paths.settings}?new=organization`)}
      >
        New organization
      </MenuItem>
    </Menu>
  )
}

/** The account menu: profile, keyboard shortcuts, appearance, sign-out. */
export function AccountMenu({ onKeyboardHelp }: { onKeyboardHelp: () => void }) {
  const { user } = useSession()
  const router = useRouter()
  const signOut = useSignOut()
  const [theme, setTheme] = useState(chosenTheme)
  const selectTheme = (next: Theme): void => {
    chooseTheme(next)
    setTheme(next)
  }
  return (
    <Menu trigger={<IconButton label={`Account of ${user.name}`} icon={UserRound} iconSize={16} />}>
      <MenuHeading>
        <span className="user-text">{user.name}</span>
        <span className="user-text block font-normal">{user.email}</span>
      </MenuHeading>
      <MenuItem icon={UserRound} onSelect={() => router.history.push(paths.profile)}>
        Profile and password
      </MenuItem>
      <MenuItem icon={Keyboard} onSelect={onKeyboardHelp}>
        Keyboard shortcuts
      </MenuItem>
      <MenuLine />
      <MenuHeading>Appearance</MenuHeading>
      {THEMES.map(({ theme: one, title, icon }) => (
        <MenuItem key={one} icon={one === theme ? Check : icon} onSelect={() => selectTheme(one)}>
          {title}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={LogOut} onSelect={signOut}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
