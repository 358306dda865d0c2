# Writes Flame's configuration with the storage URL from $FLAME_STORAGE filled in.
#
# Arguments: the storage type, the names of the Secret and of its key (for messages),
# the line that stands for the URL, the file to read and the file to write.
# Uses nothing but the shell: every command is built in. Prints no part of the URL.
set -eu
# Bytes, not characters: the same result in every locale.
LC_ALL=C
export LC_ALL
umask 027

type=$1
secret=$2
key=$3
placeholder=$4
source=$5
target=$6

fail() {
  printf 'storage type %s, key "%s" of Secret "%s": %s\n' "$type" "$key" "$secret" "$1" >&2
  exit 1
}

url=${FLAME_STORAGE-}
[ -n "$url" ] || fail 'the connection string is empty'

# Flame would take anything else for the name of an SQLite file.
case $type in
sqlite)
  case $url in
  sqlite:*) ;;
  *) fail 'the connection string must begin with sqlite:' ;;
  esac
  ;;
filesystem)
  case $url in
  fs://* | file://* | filesystem://*) ;;
  *) fail 'the connection string must begin with fs://, file:// or filesystem://' ;;
  esac
  ;;
postgres)
  case $url in
  postgres://* | postgresql://*) ;;
  *) fail 'the connection string must begin with postgres:// or postgresql://' ;;
  esac
  ;;
mysql)
  case $url in
  mysql://*) ;;
  *) fail 'the connection string must begin with mysql://' ;;
  esac
  ;;
*) fail 'this storage type has no connection string' ;;
esac

# escape FROM TO replaces every FROM in $url with TO.
escape() {
  case $url in
  *"$1"*) ;;
  *) return 0 ;;
  esac
  rest=$url
  url=
  while :; do
    case $rest in
    *"$1"*)
      head=${rest%%"$1"*}
      url=$url$head$2
      rest=${rest#"$head$1"}
      ;;
    *) break ;;
    esac
  done
  url=$url$rest
}

# A double-quoted YAML scalar: the backslash first, since the others bring new ones.
escape '\' '\\'
escape '"' '\"'
escape '
' '\n'
# What is not printable ASCII may need more.
case $url in
*[!\ -~]*)
  # Control characters, DEL among them, by their octal and hexadecimal numbers.
  for pair in \
    001:01 002:02 003:03 004:04 005:05 006:06 007:07 010:08 011:09 013:0B 014:0C \
    015:0D 016:0E 017:0F 020:10 021:11 022:12 023:13 024:14 025:15 026:16 027:17 \
    030:18 031:19 032:1A 033:1B 034:1C 035:1D 036:1E 037:1F 177:7F; do
    escape "$(printf "\\${pair%:*}")" "\\x${pair#*:}"
  done
  # U+0080 to U+009F: control characters, one of them a line break in YAML.
  for pair in \
    200:80 201:81 202:82 203:83 204:84 205:85 206:86 207:87 210:88 211:89 212:8A \
    213:8B 214:8C 215:8D 216:8E 217:8F 220:90 221:91 222:92 223:93 224:94 225:95 \
    226:96 227:97 230:98 231:99 232:9A 233:9B 234:9C 235:9D 236:9E 237:9F; do
    escape "$(printf "\\302\\${pair%:*}")" "\\x${pair#*:}"
  done
  # YAML's other line breaks, the byte order mark and the noncharacters.
  escape "$(printf '\342\200\250')" '\u2028'
  escape "$(printf '\342\200\251')" '\u2029'
  escape "$(printf '\357\273\277')" '\uFEFF'
  escape "$(printf '\357\277\276')" '\uFFFE'
  escape "$(printf '\357\277\277')" '\uFFFF'
  ;;
esac

found=
while IFS= read -r line || [ -n "$line" ]; do
  if [ "$line" = "$placeholder" ]; then
    line="${placeholder%%:*}: \"$url\""
    found=yes
  fi
  printf '%s\n' "$line"
done <"$source" >"$target"
[ -n "$found" ] || fail 'the configuration has no place for the connection string'
