# What start-slurm and stop-slurm share. Sourced with $dir set.

export PATH="$PATH:/usr/sbin:/sbin"
export SLURM_CONF="$dir/slurm.conf"
link=/etc/slurm/slurm.conf # where Slurm's commands look: Snakemake's jobs do not keep SLURM_CONF

say() { echo "${0##*/}: $*"; }

die() {
    say "error: $*" >&2
    exit 1
}

# Is process $1 alive, and is its program $2? A pid file may outlive its process.
is_program() {
    local program
    program=$(readlink "/proc/$1/exe") && [[ ${program##*/} == "$2"* ]]
}

# Print the pid of daemon $2 from the pid file $1, if it runs.
pid_of() {
    local pid
    pid=$(cat "$dir/run/$1.pid" 2>/dev/null) && [ -n "$pid" ] && is_program "$pid" "$2" 2>/dev/null && echo "$pid"
}

# Run a command every 0.2 s until it succeeds, for at most $1 seconds.
wait_for() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.2
    done
}
