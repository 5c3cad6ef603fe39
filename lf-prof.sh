# usage: lf-prof.sh OUTDIR ; env KINDS ROLES etc
mkdir -p $1
NODE_OPTIONS_SERVICE="--cpu-prof --cpu-prof-dir=$1 --cpu-prof-interval=250" node --import tsx lf-measure.ts
