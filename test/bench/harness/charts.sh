# shellcheck shell=bash
#
# Charts as SVG, by gnuplot.  Sourced by test/bench/run.

# What the three kinds of bar are drawn in.
CHART_ROWSER='#1f6f8b'
CHART_RIVAL='#b4b4ae'
CHART_FLOOR='#e3b23c'

# chart_bars FILE TITLE AXIS SCALE: horizontal bars from lines on standard
# input, each "label <tab> value <tab> kind <tab> text beside the bar".  Kind is
# rowser, rival or floor; a line of "label <tab> heading" opens a group.
# SCALE is linear, log, or ratio: logarithmic with bars that begin at 1.
chart_bars()
{
	local file=$1 title=$2 axis=$3 scale=$4
	local bars=$SCRATCH/chart.tsv
	local lines low high base height

	# position, value, kind, label, text
	awk -F '\t' -v OFS='\t' '
		function bold(text,    part, n, i) {	# where _ would set an index
			n = split(text, part, "_")
			text = part[1]
			for (i = 2; i <= n; i++) text = text "\\\\_" part[i]
			return "{/:Bold " text "}"
		}
		$2 == "heading" { if (NR > 1) at += 0.5; print ++at, $2, "", bold($1), ""; next }
		{ print ++at, $2, $3, $1, $4 }' >"$bars"
	grep -qv heading "$bars" || return 0

	# leave room for the text beside a bar; a log axis begins at a decade, and
	# headings a hair further on, or rounding could put them outside
	read -r lines low high base <<<"$(awk -F '\t' -v scale="$scale" '
		function decade(x,    e) { e = log(x) / log(10); return 10 ^ (int(e) - (int(e) > e)) }
		$2 != "heading" && $2 > 0 {
			if (!seen++ || $2 < low) low = $2
			if (seen == 1 || $2 > high) high = $2
		}
		END {
			if (scale == "linear")
				print $1, 0, high * 1.22, 0
			else if (scale == "log") {
				base = decade(low / 1.5)
				print $1, base, high * (high / base) ^ 0.22, base
			} else {
				if (low > 1) low = 1
				if (high < 1) high = 1
				room = (high / low) ^ 0.16
				if (room < 1.2) room = 1.2
				print $1, low < 1 ? low / room : 1, high * room, 1
			}
		}' "$bars")"
	height=$(awk -v n="$lines" 'BEGIN { print int(n * 26 + 130) }')

	gnuplot <<-END
		set terminal svg size 900,$height font "sans-serif,14" background "white" enhanced
		set output "$file"
		set datafile separator "\t"
		set tmargin 4
		set label 1 "$title" at screen 0.5, graph 1 center offset 0,1.6 font "sans-serif,17" noenhanced
		set xlabel "$axis" noenhanced
		$([ "$scale" = linear ] || echo 'set logscale x')
		set format x "%g"
		set xrange [$low:$high]
		set yrange [$lines + 0.8:0.2]
		set border 1 lc rgb "#808080"
		set tics nomirror textcolor rgb "#303030"
		set ytics scale 0 noenhanced
		set grid xtics lc rgb "#e4e4e4" lw 1
		set key off
		set style fill solid noborder
		$([ "$scale" != ratio ] || cat <<-RATIO
			set xtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
			set arrow from 1, graph 0 to 1, graph 1 nohead front lc rgb "#606060"
		RATIO
		)
		is_heading(x) = strcol(2) eq "heading"
		shown(kind) = (strcol(3) eq kind ? column(2) : NaN)
		plot for [k in "rowser rival floor"] "$bars" \\
			using (shown(k)):1:($base):(shown(k)):(\$1 - 0.36):(\$1 + 0.36):ytic(is_heading(0) ? "" : strcol(4)) \\
			with boxxyerror lc rgb (k eq "rowser" ? "$CHART_ROWSER" : k eq "rival" ? "$CHART_RIVAL" : "$CHART_FLOOR"), \\
			"$bars" using (\$2 >= $base ? \$2 : NaN):1:5 with labels left offset 0.6,0 noenhanced, \\
			"$bars" using (\$2 < $base ? \$2 : NaN):1:5 with labels right offset -0.6,0 noenhanced, \\
			"$bars" using (is_heading(0) ? $low * 1.000001 : NaN):1:4 with labels left enhanced
	END
	# gnuplot names each plot by its data file, wherever that was
	sed -i "s|$SCRATCH/||g" "$file"
}
