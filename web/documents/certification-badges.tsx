import { Award } from 'lucide-react'
import { useCertifications } from '../api/certifications.ts'
import { Link } from '../parts/link.tsx'
import { pathOfResource } from '../paths.ts'

/** The certifications that a data product has by its tags, each with a link to its page. */
export function CertificationBadges({ tags }: { tags: readonly string[] }) {
  const certifications = useCertifications(tags.length > 0).filter(({ tag }) => tags.includes(tag))
  return certifications.map(({ id, name }) => (
    <Link
      key={id}
      href={pathOfResource('CERTIFICATION', id)}
      plain
      className="user-text inline-flex min-h-6 max-w-full items-center gap-1 rounded-full bg-accent-soft px-2 text-xs font-medium text-accent hover:underline"
    >
      <Award size={12} aria-hidden className="shrink-0" />
      <span className="sr-only">Certified: </span>
      {name}
    </Link>
  ))
}
