import {
  BellRing,
  Mail,
  Settings,
  ShieldCheck,
  SlidersHorizontal,
  ToggleRight,
  UserRound,
  UserRoundPlus,
  UsersRound,
} from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/settings',
    title: 'Settings',
    load: async () => (await import('./page.tsx')).SettingsPage,
    icon: Settings,
    group: 'administration',
    keywords: 'organization',
  },
  {
    path: '/settings/members',
    title: 'Members and invitations',
    load: async () => (await import('./members-page.tsx')).MembersPage,
    icon: UserRoundPlus,
    keywords: 'people users invite',
  },
  {
    path: '/settings/team-roles',
    title: 'Team roles',
    load: async () => (await import('./team-roles-page.tsx')).TeamRolesPage,
    icon: ShieldCheck,
    keywords: 'permissions custom roles',
  },
  {
    path: '/settings/features',
    title: 'Features',
    load: async () => (await import('./features-page.tsx')).FeaturesPage,
    icon: ToggleRight,
    keywords: 'managed tags policy',
  },
  {
    path: '/settings/customization',
    title: 'Customization',
    load: async () => (await import('./customization-page.tsx')).CustomizationPage,
    icon: SlidersHorizontal,
    keywords: 'custom filters properties',
  },
  {
    path: '/settings/scim-mapping',
    title: 'SCIM mapping',
    load: async () => (await import('./scim-mapping-page.tsx')).ScimMappingPage,
    icon: UsersRound,
    keywords: 'identity provider groups roles',
  },
  {
    path: '/settings/email-templates',
    title: 'E-mail texts',
    load: async () => (await import('./email-templates-page.tsx')).EmailTemplatesPage,
    icon: Mail,
    keywords: 'templates subject body languages',
  },
  {
    path: '/settings/notifications',
    title: 'Notification settings',
    load: async () => (await import('./notifications-page.tsx')).NotificationSettingsPage,
    icon: BellRing,
    keywords: 'e-mail digest follow mute',
  },
  {
    path: '/settings/profile',
    title: 'Profile and password',
    load: async () => (await import('./profile-page.tsx')).ProfilePage,
    icon: UserRound,
    keywords: 'account name',
  },
  {
    path: '/settings/about',
    title: 'About',
    load: async () => (await import('./about-page.tsx')).AboutPage,
    icon: Settings,
    keywords: 'version health store',
  },
]
