# syntax=docker/dockerfile:1
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY api api
COPY cmd cmd
COPY hook hook
COPY internal internal
ARG VERSION
ARG TARGETOS
ARG TARGETARCH
RUN test -n "$VERSION" && CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$VERSION" -o /flame-hook ./cmd/flame-hook

# The hook reads no file of its own, needs no certificates and has no shell.
FROM scratch
ARG VERSION
LABEL org.opencontainers.image.title="flame-hook" \
      org.opencontainers.image.description="Metacontroller hook that runs Flame clusters on Kubernetes" \
      org.opencontainers.image.source="https://github.com/xflops/flame-operator" \
      org.opencontainers.image.version="$VERSION"
COPY --from=build /flame-hook /flame-hook
USER 65532:65532
EXPOSE 8080 9090
ENTRYPOINT ["/flame-hook"]
CMD ["serve"]
