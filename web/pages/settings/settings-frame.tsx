import { use, type ReactNode } from 'react'
import { Page, PageHeadContext } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { paths } from '../../paths.ts'

const PAGES = [
  { title: 'Organization', href: paths.settings },
  { title: 'Members', href: paths.members },
  { title: 'Sign-in', href: paths.signInSettings },
  { title: 'Team roles', href: paths.teamRoles },
  { title: 'Features', href: paths.features },
  { title: 'Customization', href: paths.customization },
  { title: 'Directory', href: paths.directory },
  { title: 'SCIM mapping', href: paths.scimMapping },
  { title: 'E-mail texts', href: paths.emailTemplates },
  { title: 'Notifications', href: paths.notificationSettings },
  { title: 'Webhooks', href: paths.webhooks() },
  { title: 'Profile', href: paths.profile },
  { title: 'Health', href: paths.health },
  { title: 'About', href: paths.about },
]

interface SettingsFrameProps {
  /** The address of the page, as in `paths.ts`. */
  at: string
  actions?: ReactNode
  width?: 'reading' | 'full'
  children: ReactNode
}

/** The frame of the settings pages: title and tabs. */
export function SettingsFrame({ at, actions, width = 'full', children }: SettingsFrameProps) {
  const title = PAGES.find(({ href }) => href === at)?.title ?? ''
  return (
    <Page
      title={title}
      trail={[{ title: 'Settings', href: paths.settings }]}
      actions={actions}
      placesHead
    >
      <Tabs
        label="Settings"
        tabs={PAGES.map((page) => ({ ...page, isCurrent: page.href === at }))}
      />
      {use(PageHeadContext)}
      <div
        className={`grid grid-cols-[minmax(0,1fr)] gap-5 ${width === 'reading' ? 'max-w-2xl' : ''}`}
      >
        {children}
      </div>
    </Page>
  )
}
