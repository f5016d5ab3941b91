/** The commands that publish a release. A person runs them, with the rights that they need. */

/** Describes how a release is published, as text for a terminal. */
export function describePublishing(version: string): string {
  const tag = `v${version}`
  const folder = 'dist'
  return `Nothing is published yet. To publish ${version}:

  # The tag, signed with your key; the commit must be on main.
  git tag --sign ${tag} --message "Portbook ${version}"
  git push origin main ${tag}

  # The package, from a workflow of the repository, so that npm can prove where it was built.
  npm publish ${folder}/portbook-${version}.tgz --provenance --access public

  # The image, from the same package, for both platforms. Look up the digests first: that of Node is its base, that of
  # PostgreSQL is for the release note, for those who run it beside Portbook.
  docker buildx imagetools inspect node:26-slim --format '{{.Manifest.Digest}}'
  docker buildx imagetools inspect postgres:18 --format '{{.Manifest.Digest}}'
  docker buildx build --platform linux/amd64,linux/arm64 --provenance=true --sbom=true \\
    --build-arg BASE=node:26-slim@sha256:<digest> --build-arg PACKAGE=portbook-${version}.tgz \\
    --build-arg VERSION=${version} --build-arg REVISION=$(git rev-parse ${tag}) \\
    --tag <registry>/portbook:${version} --file deploy/Dockerfile --push ${folder}

  # The chart.
  helm package deploy/chart --version ${version} --app-version ${version} --destination ${folder}/chart
  helm push ${folder}/chart/portbook-${version}.tgz oci://<registry>/charts

  # The release note, with the checksums and the bill of materials.
  ${folder}/portbook-${version}.md, ${folder}/SHA256SUMS, ${folder}/portbook-${version}.cdx.json
`
}
